import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { badRequest, notFound, nothingGiven } from '#kernel/http/errors.js';
import { pusherOf } from '#core/repositories/pushes/pusher.js';
import type { TreeEntry } from '#core/repositories/git/tree-entries.js';
import type { FoundSnippet } from '../access/snippet.finder.js';
import { SnippetRepositoryService } from '../files/snippet-repository.service.js';
import { SnippetRulesService } from '../snippet-rules.service.js';
import { Snippet } from '../snippet.entity.js';
import type { SnippetFileAction, UpdateSnippetParams } from '../snippets.params.js';

const SEVERAL_FILES = 'To update Snippets with multiple files, you must use the `files` parameter';

/** Updates snippets. */
@Injectable()
export class UpdateSnippet {
  constructor(
    private readonly transactions: Transactions,
    private readonly rules: SnippetRulesService,
    private readonly repository: SnippetRepositoryService,
  ) {}

  /**
   * Updates a snippet: files in one commit, then the rest. @throws 400 without changes, for invalid ones, and
   * for files while the snippet moves; 409 if another change was faster
   */
  async run(caller: UserCaller, { row, access }: FoundSnippet, params: UpdateSnippetParams): Promise<void> {
    const { title, description, visibility, files, file_name: name, content } = params;
    const changesFiles = files !== undefined || name !== undefined || content !== undefined;
    const values = { title, description, visibility };
    const changesRow = Object.values(values).some((value) => value !== undefined);
    if (!changesFiles && !changesRow) throw nothingGiven();
    const asked = visibility === row.visibility ? undefined : visibility;
    this.rules.check(caller.actor, title, asked);
    if (changesFiles)
      await this.repository.commit(
        { ...pusherOf(caller), role: access.role },
        {
          snippetId: row.id,
          branch: row.default_branch,
          message: 'Update snippet',
          plan: (present) => files ?? actionsOnOnly(present, name, content),
        },
      );
    if (changesRow) await this.save(row.id, values);
  }

  private async save(id: number, values: Partial<Record<keyof Snippet, unknown>>): Promise<void> {
    await this.transactions.run(async (tx) => {
      const snippet = await tx.findOne(Snippet, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!snippet) throw notFound('Snippet');
      for (const [name, value] of Object.entries(values))
        if (value !== undefined) Object.assign(snippet, { [name]: value });
      await tx.save(snippet);
    });
  }
}

/**
 * Returns actions for the former parameters, which change name and content of the only file. @throws 400 if
 * there are several files
 */
function actionsOnOnly(
  files: readonly TreeEntry[],
  name: string | undefined,
  content: string | undefined,
): SnippetFileAction[] {
  const [only, ...others] = files;
  if (!only || others.length > 0) throw badRequest(SEVERAL_FILES);
  const given = content === undefined ? {} : { content };
  if (name !== undefined && name !== only.path)
    return [{ action: 'move', file_path: name, previous_path: only.path, ...given }];
  return content === undefined ? [] : [{ action: 'update', file_path: only.path, content }];
}
