import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { FoldTalliesJob } from './fold-tallies.job.js';
import { TALLIED, type Tallied } from './tally.sql.js';

/** Minimum number of rows per transaction; few enough to be fast. */
const BATCH = 1_000;

/** A concurrent fold of the same rows finds them gone; readers see either the old rows or the new one. */
const fold = (of: Tallied): string => `with loose as (
    select distinct kind, subject_id, project_id from (
      select kind, subject_id, project_id from ${of}_tallies where not folded order by kind, subject_id, project_id limit ${BATCH}) l),
  gone as (delete from ${of}_tallies t using loose l
    where t.subject_id = l.subject_id and t.kind = l.kind and t.project_id = l.project_id returning t.*),
  kept as (insert into ${of}_tallies (kind, subject_id, project_id, count, folded)
    select kind, subject_id, project_id, sum(count), true from gone group by kind, subject_id, project_id having sum(count) <> 0)
  select count(*)::int as folded from gone where not folded`;

/** Merges tallies written since the last run, in batches. */
@Injectable()
export class FoldTalliesProcessor extends JobProcessor {
  readonly job = FoldTalliesJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    for (const tallied of TALLIED) {
      let folded = BATCH;
      while (folded >= BATCH) {
        signal.throwIfAborted();
        folded = await this.transactions.run(async (tx) => {
          const [row] = await tx.query<{ folded: number }[]>(fold(tallied));
          return row?.folded ?? 0;
        });
      }
    }
  }
}
