import { Injectable, Logger } from '@nestjs/common';
import { diskRefusal, isDiskRefusal } from '#kernel/disk/disk-refusal.js';
import { badRequest, invalid } from '#kernel/http/errors.js';
import { buildCommit, type TreeChange } from '#core/repositories/git/build-commit.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { peel } from '#core/repositories/git/resolve.js';
import type { TreeEntry } from '#core/repositories/git/tree-entries.js';
import type { Quarantine } from '#core/repositories/objects/quarantine.js';
import { AuthorsQueries } from '#core/repositories/pushes/authors.queries.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import {
  RepositoryWritesService,
  type BuildChanges,
} from '#core/repositories/pushes/repository-writes.service.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { treeChanges } from './snippet-changes.js';
import { listFiles } from './snippet-files.js';
import { TOO_MANY_FILES } from './snippet-limits.js';
import type { SnippetFileAction } from '../snippets.params.js';

/** Returns the actions on the present files. */
export type FilePlan = (files: readonly TreeEntry[]) => readonly SnippetFileAction[];

/** A commit to a snippet. */
export interface SnippetCommit {
  readonly snippetId: number;
  readonly branch: string;
  readonly message: string;
  readonly plan: FilePlan;
}

/** The first commit of a snippet, from bytes. */
export interface FirstCommit extends Omit<SnippetCommit, 'plan'> {
  readonly changes: readonly TreeChange[];
}

/** Writes to the repositories of snippets. */
@Injectable()
export class SnippetRepositoryService {
  private readonly logger = new Logger(SnippetRepositoryService.name);

  constructor(
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
    private readonly authors: AuthorsQueries,
  ) {}

  /**
   * Creates one commit, or none if the plan changes nothing. @throws 400 if the plan is not possible, the
   * snippet is being moved, or git cannot write; 503 if others are always faster
   */
  async commit(pusher: Pusher, commit: SnippetCommit): Promise<void> {
    try {
      const ref = snippetRepository(commit.snippetId);
      // A snippet that had a repository must not get an empty one while its disk is unavailable.
      const repository =
        (await this.repositories.openOrNull(ref)) ?? (await this.repositories.ensure(ref, commit.branch));
      const build: BuildChanges = (quarantine) => this.build(repository.path, quarantine, pusher, commit);
      await this.writes.change(repository, pusher, build, { builtOn: `refs/heads/${commit.branch}` });
    } catch (error) {
      if (isDiskRefusal(error)) throw diskRefusal(error);
      if (!isWriteFailure(error)) throw error;
      this.logger.error(`Snippet ${commit.snippetId} could not be written: ${String(error)}`);
      throw invalid({ repository: ['could not be updated'] });
    }
  }

  /** Creates the first commit of a snippet, unless there is one. @throws as `commit` */
  async begin(pusher: Pusher, { snippetId, branch, message, changes }: FirstCommit): Promise<void> {
    const repository = await this.repositories.ensure(snippetRepository(snippetId), branch);
    const ref = `refs/heads/${branch}`;
    const build: BuildChanges = async (quarantine) => {
      if ((await peel(repository.path, ref)) !== null) return [];
      const author = await this.authors.of(pusher.userId);
      const commit = { parents: [], changes, message, author, committer: author };
      const after = await buildCommit(await quarantine.directory(), commit);
      return [{ ref, before: NO_OBJECT, after }];
    };
    await this.writes.change(repository, pusher, build, { builtOn: ref });
  }

  private async build(
    path: string,
    quarantine: Quarantine,
    pusher: Pusher,
    { branch, message, plan }: SnippetCommit,
  ): Promise<RefChange[]> {
    const ref = `refs/heads/${branch}`;
    const head = await peel(path, ref);
    const files = head === null ? [] : await listFiles(path, head);
    if (files === null) throw badRequest(TOO_MANY_FILES);
    const changes = treeChanges(files, plan(files));
    if (changes.length === 0) return [];
    const author = await this.authors.of(pusher.userId);
    const parents = head === null ? [] : [head];
    const made = { parents, changes, message, author, committer: author };
    const after = await buildCommit(await quarantine.directory(), made);
    return [{ ref, before: head ?? NO_OBJECT, after }];
  }
}

/** Git or the disk refused the write; timeouts are answered like those of any dependency. */
const isWriteFailure = (error: unknown): boolean =>
  error instanceof GitFailure
    ? error.reason !== 'timeout'
    : typeof error === 'object' && error !== null && 'syscall' in error && 'path' in error;
