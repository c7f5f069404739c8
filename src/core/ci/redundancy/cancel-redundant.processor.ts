import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { peel } from '#core/repositories/git/resolve.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { PipelineActionsService } from '../pipelines/pipeline-actions.service.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { CancelRedundantJob } from './cancel-redundant.job.js';

/** SQL condition: a job that must not be interrupted has started, in this pipeline or a descendant. */
const HOLDS = `exists (
  with recursive family as (
    select o.id union all select c.id from ci_pipelines c join family f on c.parent_id = f.id)
  select 1 from family f join ci_jobs j on j.pipeline_id = f.id
    where j.kind <> 'status' and not j.interruptible and j.status in ('running', 'success', 'failed'))`;

/**
 * SQL condition: the pipeline `h` of the branch's present commit, $3, was created before `n`, whose push was
 * processed late.
 */
const PRESENT = `exists (select 1 from ci_pipelines h where h.project_id = n.project_id and h.sha = $3 and h.ref = n.ref and not h.tag
  and h.merge_request_id is not distinct from n.merge_request_id and h.id < n.id and h.parent_id is null and h.source <> 'external' and h.status <> 'skipped' and h.yaml_errors is null)`;

/**
 * Unfinished pipelines of the branch for commits other than the newest with a pipeline, that may be canceled,
 * or whose interruptible jobs may.
 */
const REDUNDANT = `select o.id, o.cancel_on_new_commit is not distinct from 'interruptible' as "onlyInterruptible" from ci_pipelines n join ci_pipelines o on o.project_id = n.project_id and o.ref = n.ref and o.id <= n.id
    and o.merge_request_id is not distinct from n.merge_request_id and not o.tag and o.parent_id is null and o.source <> 'external'
    and o.status in ('created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled', 'manual')
  where n.id = $1 and ($2::bigint is null or o.id = $2)
    and o.sha <> case when ${PRESENT} then $3::text else n.sha end
    and case o.cancel_on_new_commit when 'none' then false when 'interruptible' then true else not ${HOLDS} end order by o.id`;

/** Checks each pipeline again under its lock, because a job may have started. */
@Injectable()
export class CancelRedundantProcessor extends JobProcessor<Readonly<{ pipelineId: number }>> {
  readonly job = CancelRedundantJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly actions: PipelineActionsService,
    private readonly repositories: RepositoriesService,
  ) {
    super();
  }

  async process({ pipelineId }: Readonly<{ pipelineId: number }>, { signal }: JobContext): Promise<void> {
    const present = await this.presentCommit(pipelineId);
    const found = await this.transactions.run((tx) =>
      tx.query<{ id: number }[]>(REDUNDANT, [pipelineId, null, present]),
    );
    for (const { id } of found) {
      signal.throwIfAborted();
      await this.transactions.run(async (tx) => {
        const pipeline = await this.pipelines.lockOrNull(tx, id);
        const [still] = await tx.query<{ onlyInterruptible: boolean }[]>(REDUNDANT, [
          pipelineId,
          id,
          present,
        ]);
        if (pipeline && still) await this.actions.cancelWithin(tx, pipeline, still.onlyInterruptible);
      });
    }
  }

  /** Returns the commit of the branch, or merge request, of a pipeline; null if it is gone. */
  private async presentCommit(pipelineId: number): Promise<string | null> {
    const [pipeline] = await this.transactions.run((tx) => tx.findBy(Pipeline, { id: pipelineId }));
    const repository =
      pipeline && (await this.repositories.openOrNull(projectRepository(pipeline.projectId)));
    if (!repository) return null;
    const { ref, mergeRequestId } = pipeline;
    return peel(repository.path, mergeRequestId === null ? `refs/heads/${ref}` : ref);
  }
}
