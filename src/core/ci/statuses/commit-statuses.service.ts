import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, invalid, notFound } from '#kernel/http/errors.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { InternalIds } from '#core/iids/internal-ids.js';
import { Job } from '../jobs/job.entity.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { JobTransitions } from '../processing/job-transitions.js';
import { PipelineCreated } from '../processing/events/pipeline-created.event.js';
import { PipelineProcessing } from '../processing/pipeline-processing.js';
import type { ExternalState, SetCommitStatusParams } from './commit-statuses.params.js';
import { moveExternal } from './external-state.js';
import { StatusTargets, type StatusTarget } from './status-target.js';

/** Statuses come after all stages of a file. */
const STAGE_INDEX = 1_000_000;

/** Posts of one commit and ref come one after the other: the first makes the pipeline, the others find it. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('ci status ' || $1::text || ' ' || $2::text || ' ' || $3::text, 0))`;

/** Only statuses: nobody puts one in the place of a job. */
const SUPERSEDE = `update ci_jobs set retried = true, updated_at = now()
  where pipeline_id = $1 and kind = 'status' and name = $2 and id <> $3 and not retried`;

/** What services outside say of commits: each word of it is a job of kind `status`, in a pipeline of its own where there is none. */
@Injectable()
export class CommitStatusesService {
  constructor(
    private readonly targets: StatusTargets,
    private readonly iids: InternalIds,
    private readonly transitions: JobTransitions,
    private readonly processing: PipelineProcessing,
    private readonly events: DomainEvents,
    private readonly transactions: Transactions,
  ) {}

  /** Adds a status or changes the one that is under way, and returns its id. @throws 400, 403, 404 */
  async set(project: ProjectSubject, caller: Caller, params: SetCommitStatusParams): Promise<number> {
    assertUrl(params.target_url);
    const userId = caller.actor?.id ?? 0;
    const target = await this.targets.find(project, caller, params);
    return this.transactions.run(async (tx) => {
      await runDeferred(tx, LOCK, [project.id, target.sha, target.ref]);
      const known = await this.lockPipeline(tx, project.id, target, params.pipeline_id);
      if (!known && params.pipeline_id !== undefined) throw notFound('Pipeline');
      const pipeline = known ?? (await this.addPipeline(tx, project.id, userId, target));
      const name = params.name || params.context || 'default';
      const job = await this.changeOrAdd(tx, pipeline, target, { name, userId, ...valuesOf(params) });
      await this.move(tx, job, params.state);
      await this.processing.process(tx, pipeline);
      return job.id;
    });
  }

  private lockPipeline(
    tx: Tx,
    projectId: number,
    { sha, ref, tag }: StatusTarget,
    id: number | undefined,
  ): Promise<Pipeline | null> {
    return tx.findOne(Pipeline, {
      where: { projectId, sha, ref, tag, ...(id === undefined ? { parentId: IsNull() } : { id }) },
      order: { id: 'desc' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  private async addPipeline(
    tx: Tx,
    projectId: number,
    userId: number,
    target: StatusTarget,
  ): Promise<Pipeline> {
    const iid = await this.iids.next(tx, projectId, 'pipelines');
    const committedAt = new Date(target.commit.committed_date);
    const pipeline = await tx.save(
      Pipeline,
      Object.assign(new Pipeline(), {
        ...target,
        projectId,
        iid,
        source: 'external' as const,
        userId,
        committedAt: Number.isNaN(committedAt.getTime()) ? null : committedAt,
      }),
    );
    await this.events.publish(tx, new PipelineCreated(pipeline));
    return pipeline;
  }

  private async changeOrAdd(
    tx: Tx,
    pipeline: Pipeline,
    { ref, tag, protected: isProtected }: StatusTarget,
    { name, userId, ...values }: SaidValues & { readonly name: string; readonly userId: number },
  ): Promise<Job> {
    const found = await tx.findOne(Job, {
      where: {
        pipelineId: pipeline.id,
        kind: 'status',
        name,
        ref,
        userId,
        status: In(['pending', 'running']),
        retried: false,
      },
      order: { id: 'desc' },
    });
    if (found) {
      if (Object.keys(values).length > 0) await tx.update(Job, { id: found.id }, values);
      return Object.assign(found, values);
    }
    const job = await tx.save(
      Job,
      Object.assign(new Job(), {
        ...values,
        projectId: pipeline.projectId,
        pipelineId: pipeline.id,
        kind: 'status' as const,
        name,
        stage: 'external',
        stageIndex: STAGE_INDEX,
        status: 'created' as const,
        userId,
        ref,
        tag,
        protected: isProtected,
        tagList: [],
      }),
    );
    await runDeferred(tx, SUPERSEDE, [pipeline.id, name, job.id]);
    return job;
  }

  private async move(tx: Tx, job: Job, state: ExternalState): Promise<void> {
    const { steps, problem } = moveExternal(job.status, state);
    if (problem !== null) throw badRequest(problem);
    for (const step of steps)
      await this.transitions.move(tx, job, step, step === 'failed' ? { failureReason: 'api_failure' } : {});
  }
}

/** What is said beside the state. */
type SaidValues = Partial<Pick<Job, 'targetUrl' | 'description' | 'coverage'>>;

const valuesOf = ({ target_url: targetUrl, description, coverage }: SetCommitStatusParams): SaidValues => ({
  ...(targetUrl === undefined ? {} : { targetUrl: targetUrl || null }),
  ...(description === undefined ? {} : { description }),
  ...(coverage === undefined ? {} : { coverage }),
});

function assertUrl(url: string | undefined): void {
  if (url === undefined || url === '') return;
  // Whatever shows the status makes a link of it.
  const isGood = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url);
  if (!isGood) throw invalid({ target_url: ['must be a valid URL'] });
}
