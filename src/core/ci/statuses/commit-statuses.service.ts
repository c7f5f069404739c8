import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, invalid, notFound } from '#kernel/http/errors.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { Job } from '../jobs/job.entity.js';
import type { CiStatus } from '../jobs/job-status.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { JobTransitionsService } from '../processing/job-transitions.service.js';
import { PipelineCreated } from '../processing/events/pipeline-created.event.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { PipelineJobs } from '../processing/steps/pipeline-jobs.js';
import { addStatus, type NewStatus } from './add-status.js';
import { FIND_COMMIT_STATUS, type CommitStatusRow } from './commit-status.record.js';
import type { ExternalState, SetCommitStatusParams } from './commit-statuses.params.js';
import { moveExternal } from './external-state.js';
import { StatusTargetFinder, type StatusTarget } from './status-target.finder.js';

/** Posts of one commit and ref come one after the other: the first makes the pipeline, the others find it. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('ci status ' || $1::text || ' ' || $2::text || ' ' || $3::text, 0))`;

/** What services outside say of commits: each word of it is a job of kind `status`, in a pipeline of its own where there is none. */
@Injectable()
export class CommitStatusesService {
  constructor(
    private readonly targets: StatusTargetFinder,
    private readonly iids: InternalIdsService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
    private readonly events: DomainEvents,
    private readonly transactions: Transactions,
  ) {}

  /** Adds a status or changes the one that is under way. @throws 400, 403, 404 */
  async set(
    project: ProjectSubject,
    caller: Caller,
    params: SetCommitStatusParams,
  ): Promise<CommitStatusRow> {
    assertUrl(params.target_url);
    const userId = caller.actor?.id ?? 0;
    const target = await this.targets.find(project, caller, params);
    return this.transactions.run(async (tx) => {
      await runDeferred(tx, LOCK, [project.id, target.sha, target.ref]);
      const known = await this.lockPipeline(tx, project.id, target, params.pipeline_id);
      if (!known && params.pipeline_id !== undefined) throw notFound('Pipeline');
      const pipeline = known ?? (await this.addPipeline(tx, project.id, userId, target));
      const name = params.name || params.context || 'default';
      const { ref, tag, protected: isProtected } = target;
      const said = { pipeline, name, userId, ref, tag, protected: isProtected, ...valuesOf(params) };
      const jobs = await PipelineJobs.read(tx, pipeline.id);
      const job = hasUnderWay(jobs, name) ? await this.underWay(tx, said) : null;
      return job ? this.change(tx, pipeline, job, params) : this.add(tx, pipeline, said, jobs, params.state);
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

  /** The status of the name that the same user has begun for the ref. */
  private underWay(tx: Tx, { pipeline, name, ref, userId }: NewStatus): Promise<Job | null> {
    const status = In(['pending', 'running']);
    return tx.findOne(Job, {
      where: { pipelineId: pipeline.id, kind: 'status', name, ref, userId, status, retried: false },
      order: { id: 'desc' },
    });
  }

  private async change(
    tx: Tx,
    pipeline: Pipeline,
    job: Job,
    params: SetCommitStatusParams,
  ): Promise<CommitStatusRow> {
    const values = valuesOf(params);
    if (Object.keys(values).length > 0) await tx.update(Job, { id: job.id }, values);
    Object.assign(job, values);
    for (const step of stepsTo(job.status, params.state))
      await this.transitions.move(tx, job, step, step === 'failed' ? { failureReason: 'api_failure' } : {});
    await this.processing.process(tx, pipeline);
    const [row] = await tx.query<[CommitStatusRow]>(FIND_COMMIT_STATUS, [job.id]);
    return row;
  }

  private async add(
    tx: Tx,
    pipeline: Pipeline,
    said: NewStatus,
    jobs: PipelineJobs,
    state: ExternalState,
  ): Promise<CommitStatusRow> {
    const steps = stepsTo('created', state);
    const { job, row } = await addStatus(tx, said, steps);
    await this.transitions.enter(tx, job, steps);
    const others = jobs.all.filter(({ kind, name }) => kind !== 'status' || name !== said.name);
    await this.processing.processKnown(
      tx,
      pipeline,
      new PipelineJobs([...others, ...PipelineJobs.of([job]).all]),
    );
    return row;
  }
}

const hasUnderWay = ({ all }: PipelineJobs, name: string): boolean =>
  all.some(
    (job) => job.kind === 'status' && job.name === name && ['pending', 'running'].includes(job.status),
  );

/** @throws 400 */
function stepsTo(from: CiStatus, state: ExternalState): readonly CiStatus[] {
  const { steps, problem } = moveExternal(from, state);
  if (problem !== null) throw badRequest(problem);
  return steps;
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
