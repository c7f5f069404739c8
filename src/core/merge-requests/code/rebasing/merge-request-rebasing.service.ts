import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { badRequest, forbidden, notFound } from '#kernel/http/errors.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { AuthorsQueries } from '#core/repositories/pushes/authors.queries.js';
import {
  RepositoryWritesService,
  type BuildChanges,
} from '#core/repositories/pushes/repository-writes.service.js';
import { BRANCHES } from '#core/repositories/refs/read-refs.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { assertSeesCode } from '../diffs/merge-request-code.finder.js';
import { copyObjects } from '../following/merge-request-refs.service.js';
import { MergeRequestHeadsService } from '../merge-request-heads.service.js';
import { MergePolicy } from '../merging/merge.policy.js';
import { mergeNotAllowed } from '../merging/merge-merge-request.use-case.js';
import { MergeableQueries } from '../merging/mergeable.queries.js';
import { seeingObjectsOf } from '../source-objects.js';
import { rebaseCommits } from './rebase-commits.js';
import { RebaseMergeRequestJob, type WantedRebase } from './rebase-merge-request.job.js';

const BEGIN = `update merge_requests set rebasing_since = now(), merge_error = null where id = $1`;
const END = `update merge_requests set rebasing_since = null, merge_error = coalesce($2, merge_error) where id = $1`;

const gone = (): Error => badRequest('Rebase failed: the source branch cannot be changed');

const cannotPush = (): Error => forbidden('Cannot push to source branch');

/** Rebases merge requests onto their targets. */
@Injectable()
export class MergeRequestRebasingService {
  constructor(
    private readonly queries: MergeableQueries,
    private readonly rights: MergePolicy,
    private readonly heads: MergeRequestHeadsService,
    private readonly repositories: RepositoriesService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly authors: AuthorsQueries,
    private readonly writes: RepositoryWritesService,
  ) {}

  /**
   * Enqueues a rebase. @throws 403 without the right to push to the source branch, 404, 405 if it is not open
   */
  async begin(project: ProjectSubject, caller: Caller, iid: number, skipCi: boolean): Promise<void> {
    // The source receives code of the target.
    assertSeesCode(project, caller);
    const { actor } = caller;
    const found = await this.queries.byIid(project.id, iid);
    if (!found) throw notFound('Merge Request');
    const { sourceProjectId, sourceBranch, id } = found;
    const userId = actor?.id ?? 0;
    const isAdmin = actor?.admin === true;
    const role = sourceProjectId === null ? null : await this.rights.roleOf(sourceProjectId, userId, isAdmin);
    if (sourceProjectId === null || role === null) throw cannotPush();
    if (!(await this.rights.mayPush(sourceProjectId, { userId, role }, sourceBranch))) throw cannotPush();
    if (found.state !== 'opened') throw mergeNotAllowed();
    await this.transactions.run(async (tx) => {
      await tx.query(BEGIN, [id]);
      await this.jobs.enqueue(tx, RebaseMergeRequestJob, { id, userId, skipCi });
    });
  }

  /** Rebases a merge request, subject to push rules. @throws 400 with the reason if it is not possible */
  async rebase({ id, userId, skipCi }: WantedRebase): Promise<void> {
    const found = await this.queries.byId(id);
    if (found?.state !== 'opened' || found.sourceProjectId === null) return;
    const { sourceProjectId } = found;
    const branches = { ...found, sourceProjectId };
    const source = await this.repositories.openOrNull(projectRepository(sourceProjectId));
    const role = await this.rights.roleOf(sourceProjectId, userId);
    if (!source || role === null) throw gone();
    const committer = await this.authors.of(userId);
    const pusher = { userId, role, via: 'api' } as const;
    const ref = BRANCHES + found.sourceBranch;
    const build: BuildChanges = async (quarantine) => {
      const heads = await this.heads.find(branches);
      if (!heads) throw gone();
      const { target, startSha, headSha: before } = heads;
      const directory = await quarantine.directory();
      if (source.path !== target.path)
        await copyObjects(directory, startSha, seeingObjectsOf(target, source));
      const after = await rebaseCommits(directory, startSha, before, committer);
      return after === before ? [] : [{ ref, before, after }];
    };
    const pushOptions = skipCi ? ['ci.skip'] : [];
    await this.writes.change(source, pusher, build, { pushOptions, builtOn: ref });
  }

  /** Records the end of a rebase, with its `error` if it failed. */
  async end(id: number, error: string | null): Promise<void> {
    await this.transactions.run((tx) => tx.query(END, [id, error]));
  }
}
