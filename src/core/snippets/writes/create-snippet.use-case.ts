import { Injectable, Logger } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { StorageChoiceService } from '#core/projects/writes/storage-choice.service.js';
import { pusherOf } from '#core/repositories/pushes/pusher.js';
import { RemoveSnippets } from './remove-snippets.use-case.js';
import { SnippetRepositoryService } from '../files/snippet-repository.service.js';
import { SnippetRulesService } from '../snippet-rules.service.js';
import { Snippet } from '../snippet.entity.js';
import type { CreateSnippetParams, SnippetFileAction } from '../snippets.params.js';

/** The client of a request. */
export interface Origin {
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
}

/** Owners being removed get nothing new: they wait for this lock, or this sees them removed. */
const LOCK_AUTHOR = 'select 1 from users where id = $1 and not pending_delete for share';
const LOCK_PROJECT = 'select 1 from projects where id = $1 and not pending_delete for share';

/** Creates snippets with their repositories. */
@Injectable()
export class CreateSnippet {
  private readonly logger = new Logger(CreateSnippet.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
    private readonly storages: StorageChoiceService,
    private readonly rules: SnippetRulesService,
    private readonly repository: SnippetRepositoryService,
    private readonly removal: RemoveSnippets,
  ) {}

  /**
   * Creates a snippet of a project, or a personal one unless the user is external; returns its id. Leaves
   * nothing behind if the repository cannot be written. @throws 403, 400
   */
  async run(
    caller: UserCaller,
    projectId: number | null,
    params: CreateSnippetParams,
    origin: Origin,
  ): Promise<number> {
    const actor = caller.actor;
    if (projectId === null && actor.external && !actor.admin) throw forbidden();
    this.rules.check(actor, params.title, params.visibility);
    const branch = this.settings.values.default_branch_name;
    const id = await this.transactions.run((tx) =>
      this.insert(tx, {
        projectId,
        authorId: actor.id,
        title: params.title,
        description: params.description ?? null,
        visibility: params.visibility ?? this.rules.preset(actor),
        defaultBranch: branch,
        repositoryStorage: this.storages.choose(),
        ...origin,
      }),
    );
    try {
      await this.repository.commit(pusherOf(caller), {
        snippetId: id,
        branch,
        message: 'Initial commit',
        plan: () => filesOf(params),
      });
    } catch (error) {
      await this.discard(id);
      throw error;
    }
    return id;
  }

  private async insert(tx: Tx, values: Partial<Snippet>): Promise<number> {
    const author = await tx.query<unknown[]>(LOCK_AUTHOR, [values.authorId]);
    if (author.length === 0) throw forbidden();
    if (values.projectId) {
      const project = await tx.query<unknown[]>(LOCK_PROJECT, [values.projectId]);
      if (project.length === 0) throw notFound('Project');
    }
    return (await tx.save(tx.create(Snippet, values))).id;
  }

  /** The request fails whether this works or not; a job removes the rest. */
  private async discard(id: number): Promise<void> {
    try {
      await this.transactions.run((tx) => this.removal.remove(tx, [id]));
    } catch (error) {
      this.logger.warn(`Snippet ${id} could not be discarded: ${String(error)}`);
    }
  }
}

function filesOf({ files, file_name: name = '', content = '' }: CreateSnippetParams): SnippetFileAction[] {
  const given = files ?? [{ file_path: name, content }];
  return given.map(({ file_path, content: text }) => ({ action: 'create', file_path, content: text }));
}
