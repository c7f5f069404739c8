import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { MergeAutomaticallyJob } from '../code/merging/auto-merge/merge-automatically.job.js';

/** The newest pipeline of the merge request for its head, or else of the branch for the same commit. */
const HEAD = `select p.id from ci_pipelines p where p.sha = m.head_sha and p.parent_id is null
    and (p.merge_request_id = m.id and p.source = 'merge_request_event'
      or p.project_id = m.source_project_id and p.ref = m.source_branch and not p.tag and p.source <> 'merge_request_event')
    and p.project_id in (m.project_id, m.source_project_id)
  order by p.source = 'merge_request_event' desc, p.id desc limit 1`;

const LOCK = `select id from merge_requests where id = any($1::bigint[]) order by id for no key update`;

const REFRESH = `update merge_requests m set head_pipeline_id = (${HEAD})
  where m.id = any($1::bigint[]) and m.state in ('opened', 'locked')`;

/** Merge requests with auto-merge whose pipeline has succeeded. */
const WAITING = `select m.id from merge_requests m join projects o on o.id = m.project_id join ci_pipelines p on p.id = m.head_pipeline_id
  where m.id = any($1::bigint[]) and m.auto_merge is not null
    and (p.status = 'success' or p.status = 'skipped' and o.settings -> 'allow_merge_on_skipped_pipeline' = 'true')`;

/** Determines the head pipelines of merge requests. */
@Injectable()
export class HeadPipelinesService {
  constructor(private readonly jobs: Jobs) {}

  /**
   * Updates the head pipelines of merge requests, and enqueues auto-merges whose pipeline has already
   * succeeded.
   */
  async refresh(tx: Tx, ids: readonly number[]): Promise<void> {
    await tx.query(LOCK, [ids]);
    await tx.query(REFRESH, [ids]);
    await this.mergeReady(tx, ids);
  }

  private async mergeReady(tx: Tx, ids: readonly number[]): Promise<void> {
    const ready = await tx.query<{ id: number }[]>(WAITING, [ids]);
    for (const { id } of ready) await this.jobs.enqueue(tx, MergeAutomaticallyJob, { id });
  }
}
