import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { buildCommit, type TreeChange } from '#core/repositories/git/build-commit.js';
import type { Quarantine } from '#core/repositories/objects/quarantine.js';
import { AuthorsQueries } from '#core/repositories/pushes/authors.queries.js';
import { pusherOf } from '#core/repositories/pushes/pusher.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import {
  RepositoryWritesService,
  type BuildChanges,
} from '#core/repositories/pushes/repository-writes.service.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { wikiBranch } from './wiki-branch.js';
import { readBeside, type TreeFile } from './wiki-tree.js';

/** Result of planning a commit. */
export interface WikiEdit<Result> {
  readonly changes: readonly TreeChange[];
  readonly message: string;
  readonly result: Result;
}

/** Lists the files in and above the folders of some paths. */
export type LookInto = (paths: readonly string[]) => Promise<readonly TreeFile[]>;

/** Plans an edit from the present files; called again if another edit was faster. */
export type PlanEdit<Result> = (
  look: LookInto,
  branch: string,
  quarantine: Quarantine,
) => WikiEdit<Result> | Promise<WikiEdit<Result>>;

/** Commits edits to wikis one at a time, so that none is lost. */
@Injectable()
export class WikiEditsService {
  constructor(
    private readonly writes: RepositoryWritesService,
    private readonly authors: AuthorsQueries,
  ) {}

  /**
   * Creates a commit from `plan`; `branch` is a full ref name, by default the branch of the pages.
   * @throws 400 while the wiki moves, 503 if concurrent edits are always faster, or too many are waiting
   */
  async commit<Result>(
    repository: OpenRepository,
    caller: Caller,
    plan: PlanEdit<Result>,
    branch?: string,
  ): Promise<Result> {
    const pusher = pusherOf(caller);
    const author = await this.authors.of(pusher.userId);
    let done: WikiEdit<Result> | undefined;
    const build: BuildChanges = async (quarantine) => {
      const { ref, commit } = await wikiBranch(repository.path, branch);
      const look: LookInto = (paths) =>
        commit === null ? Promise.resolve([]) : readBeside(repository.path, commit, paths);
      done = await plan(look, ref.slice('refs/heads/'.length), quarantine);
      const { changes, message } = done;
      if (changes.length === 0) return [];
      const parents = commit === null ? [] : [commit];
      const after = await buildCommit(await quarantine.directory(), {
        parents,
        changes,
        message,
        author,
        committer: author,
      });
      return [{ ref, before: commit ?? NO_OBJECT, after }];
    };
    await this.writes.change(repository, pusher, build, { builtOn: branch ?? 'HEAD' });
    return (done as WikiEdit<Result>).result;
  }
}
