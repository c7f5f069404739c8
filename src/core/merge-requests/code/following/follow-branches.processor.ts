import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { FollowBranchesJob, type PushedBranches } from './follow-branches.job.js';
import { FollowMergeRequestJob } from './follow-merge-request.job.js';

/** Merge requests enqueued per transaction. */
const BATCH = 200;

/**
 * Those being merged too: a merge may fail. Merged ones, if the head that was merged is the pushed one: its
 * merge request was not known yet.
 */
const FIND = `select id, max(source) as source from (
    select id, source_branch as source from merge_requests
      where source_project_id = $1 and source_branch = any($2) and state in ('opened', 'locked') and id > $3
    union all
    select id, source_branch from merge_requests
      where source_project_id = $1 and source_branch = any($2) and state = 'merged' and head_sha = any($4) and id > $3
    union all
    select id, null from merge_requests where project_id = $1 and target_branch = any($2) and state in ('opened', 'locked')
      and id > $3
  ) found group by id order by id limit ${BATCH}`;

interface Found {
  readonly id: number;
  /** The new head of its source branch, if that was pushed. */
  readonly source: string | null;
}

/** Enqueues a check of each merge request; one that is waiting already is moved forward. */
@Injectable()
export class FollowBranchesProcessor extends JobProcessor<PushedBranches> {
  readonly job = FollowBranchesJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process({ projectId, branches, userId }: PushedBranches, { signal }: JobContext): Promise<void> {
    const heads = new Map(branches.map(({ name, sha }) => [name, sha]));
    const [names, shas] = [[...heads.keys()], [...heads.values()]];
    let last = 0;
    for (;;) {
      signal.throwIfAborted();
      const found = await this.database.long<Found>(FIND, [projectId, names, last, shas]);
      await this.transactions.run(async (tx) => {
        for (const { id, source } of found) {
          const head = source === null ? null : (heads.get(source) ?? null);
          await this.jobs.enqueue(tx, FollowMergeRequestJob, { id, userId, head });
        }
      });
      last = found.at(-1)?.id ?? last;
      if (found.length < BATCH) return;
    }
  }
}
