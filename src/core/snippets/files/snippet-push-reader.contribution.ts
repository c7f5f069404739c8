import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { peel } from '#core/repositories/git/resolve.js';
import type { TreeEntry } from '#core/repositories/git/tree-entries.js';
import {
  PushReadersRegistry,
  type WriteOfPush,
} from '#core/repositories/pushes/recovery/push-readers.registry.js';
import { readRefFiles } from '#core/repositories/refs/ref-files.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { listFiles } from './snippet-files.js';

const BRANCH = 'select default_branch as branch from snippets where id = $1';

const STORE = `update snippets set file_paths = $2, updated_at = ${STATEMENT_TIME} where id = $1`;

/** Stores the names of the files of snippets after pushes. */
@Injectable()
export class SnippetPushReaderContribution implements OnModuleInit {
  constructor(
    private readonly readers: PushReadersRegistry,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    this.readers.register((repository) =>
      repository.ownerType === 'Snippet' ? this.read(repository) : Promise.resolve(null),
    );
  }

  private async read({ ownerId: id, path }: OpenRepository): Promise<WriteOfPush | null> {
    const row = await this.database.one<{ branch: string }>(BRANCH, [id]);
    if (!row) return null;
    const ref = `refs/heads/${row.branch}`;
    const read = await filesOf(path, ref);
    return async (tx) => {
      const { head, files } = read;
      // The row is locked, so git is not asked. If the branch has moved on, the push that moved it stores the names.
      const refs = await readRefFiles(path, (name) => !`${ref}/`.startsWith(`${name}/`));
      const isPresent = refs === null || (refs.get(ref) ?? null) === head;
      if (files && isPresent) await tx.query(STORE, [id, files.map((file) => file.path)]);
    };
  }
}

/** Returns the present commit of a branch with its files; null if there is none, or there are too many. */
async function filesOf(
  path: string,
  ref: string,
): Promise<{ readonly head: string | null; readonly files: readonly TreeEntry[] | null }> {
  const head = await peel(path, ref);
  return { head, files: head === null ? null : await listFiles(path, head) };
}
