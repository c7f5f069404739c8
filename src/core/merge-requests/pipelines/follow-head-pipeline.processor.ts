import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { FollowHeadPipelineJob, type FollowedPipeline } from './follow-head-pipeline.job.js';
import { HeadPipelinesService } from './head-pipelines.service.js';

const CONCERNED = `select m.id from ci_pipelines p join merge_requests m on m.state in ('opened', 'locked')
    and (m.source_project_id = p.project_id and m.source_branch = p.ref and not p.tag)
  where p.id = $1 and p.parent_id is null
  union select m.id from ci_pipelines p join merge_requests m on m.id = p.merge_request_id and m.state in ('opened', 'locked')
  where p.id = $1 and p.parent_id is null`;

/** Runs in a separate transaction, because merge requests are locked before pipelines. */
@Injectable()
export class FollowHeadPipelineProcessor extends JobProcessor<FollowedPipeline> {
  readonly job = FollowHeadPipelineJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly heads: HeadPipelinesService,
  ) {
    super();
  }

  async process({ pipelineId, headed = [] }: FollowedPipeline): Promise<void> {
    await this.transactions.run(async (tx) => {
      const concerned = await tx.query<{ id: number }[]>(CONCERNED, [pipelineId]);
      const ids = [...headed, ...concerned.map(({ id }) => id)];
      if (ids.length > 0) await this.heads.refresh(tx, ids);
    });
  }
}
