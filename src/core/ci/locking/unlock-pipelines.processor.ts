import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { isOfMergeRequestRefSql } from '../pipelines/merge-request-ref.sql.js';
import { UnlockPipelinesJob, type Unlocked } from './unlock-pipelines.job.js';

/**
 * Unlocks pipelines together with their descendants. A child created while its parent is being unlocked is
 * not visible yet: the next round finds it by its parent. Rows are locked in the order of ids to avoid
 * deadlocks. Parents and family are looked up by their ids alone: the planner would read the locked pipelines of all
 * projects where it takes them for few.
 */
const UNLOCK = `with recursive family as (
    (select p.id from ci_pipelines p where p.project_id = $1 and p.ref >= $2 and p.ref <= $2 and p.tag = $3 and p.locked
      and ($5::boolean is null or $5 = ${isOfMergeRequestRefSql('p')})
      and case when p.parent_id is null then $4::bigint is null or p.id < $4
        else coalesce((select not parent.locked from ci_pipelines parent where parent.id = p.parent_id), true) end
      order by p.ref, p.id limit 100)
    union all select c.id from ci_pipelines c join family f on c.parent_id = f.id),
  chosen as (select p.id from ci_pipelines p where p.id = any(array(select id from family)) and p.locked is not false order by p.id for no key update),
  unlocked as (update ci_pipelines p set locked = false from chosen c where p.id = c.id returning p.id)
  select count(*)::int as count from unlocked`;

/** Works in batches, since a branch may have many pipelines. */
@Injectable()
export class UnlockPipelinesProcessor extends JobProcessor<Unlocked> {
  readonly job = UnlockPipelinesJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(
    { projectId, ref, tag, beforeId, ofMergeRequest }: Unlocked,
    { signal }: JobContext,
  ): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const [row] = await this.transactions.run((tx) =>
        tx.query<{ count: number }[]>(UNLOCK, [
          projectId,
          ref,
          tag,
          beforeId ?? null,
          ofMergeRequest ?? null,
        ]),
      );
      if (!row?.count) return;
    }
  }
}
