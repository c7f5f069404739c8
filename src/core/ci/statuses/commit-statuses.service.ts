import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { runWithNext } from '#kernel/database/statements/prepared.js';
import { askForRow, changeRow } from '#kernel/database/statements/rows.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, invalid, notFound } from '#kernel/http/errors.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { JobRefPolicy } from '../jobs/actions/job-ref.policy.js';
import { rightsOf } from '../jobs/job-access.js';
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

/** Serializes requests for one commit and ref: the first creates the pipeline, the others find it. Draws the id of a new status. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('ci status ' || $1::text || ' ' || $2::text || ' ' || $3::text, 0)), nextval('ci_jobs_id_seq') as id`;

/** The newest pipeline of a commit and ref, or the given one; in an order that only the index of the commit has. */
const which = (condition: string): string =>
  `project_id = $1 and sha >= $2 and sha <= $2 and ref = $3 and tag = $4 and ${condition} order by sha desc, id desc limit 1`;
const NEWEST = which('parent_id is null');
const GIVEN = which('id = $5');

/** The one of these statuses that a user has reported on a ref. */
const UNDER_WAY = 'id = any($1::bigint[]) and ref = $2 and user_id = $3 order by id desc limit 1';

/**
 * Limit of jobs and statuses of a pipeline, twice what a configuration may have: each report reads all of them.
 */
const MAX_JOBS = 2_000;

/** Limit of statuses of a pipeline that others have replaced: each report may add one. */
const MAX_REPLACED = 10_000;

/** Returns the row of a status, also after the commit. */
type Row = () => Promise<CommitStatusRow>;

/**
 * Stores statuses that external services report: each is a job of kind `status`, in a new pipeline if there
 * is none.
 */
@Injectable()
export class CommitStatusesService {
  constructor(
    private readonly targets: StatusTargetFinder,
    private readonly rights: JobRefPolicy,
    private readonly iids: InternalIdsService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
    private readonly events: DomainEvents,
    private readonly transactions: Transactions,
  ) {}

  /** Adds a status, or updates the unfinished one. @throws 400, 403, 404 */
  async set(
    project: ProjectSubject,
    caller: Caller,
    params: SetCommitStatusParams,
  ): Promise<CommitStatusRow> {
    assertUrl(params.target_url);
    const userId = caller.actor?.id ?? 0;
    const target = await this.targets.find(project, caller, params);
    const row = await this.transactions.run(async (tx) => {
      const { id, jobsOf, known } = await this.lock(tx, project.id, target, params.pipeline_id);
      if (!known && params.pipeline_id !== undefined) throw notFound('Pipeline');
      // The rights on its ref depend on the source branch of the merge request.
      if (known && known.mergeRequestId !== null) await this.rights.assertMayRun(known, rightsOf(caller));
      const pipeline = known ?? (await this.addPipeline(tx, project.id, userId, target));
      const name = params.name || params.context || 'default';
      const { ref, tag, protected: isProtected } = target;
      const said = { pipeline, name, userId, ref, tag, protected: isProtected, ...valuesOf(params) };
      const jobs = await jobsOf(pipeline.id);
      const job = await this.underWay(tx, said, jobs);
      return job
        ? this.change(tx, pipeline, { job, jobs }, params)
        : this.add(tx, pipeline, { ...said, id, jobs }, params.state);
    });
    return row();
  }

  /**
   * Takes the lock, and reads all that may be needed in one round trip: the pipeline, its jobs, and the id of
   * a new status.
   */
  private async lock(
    tx: Tx,
    projectId: number,
    { sha, ref, tag }: StatusTarget,
    pipelineId: number | undefined,
  ): Promise<{ id: number; jobsOf: (pipelineId: number) => Promise<PipelineJobs>; known: Pipeline | null }> {
    const asked = [projectId, sha, ref, tag, ...(pipelineId === undefined ? [] : [pipelineId])];
    const condition = pipelineId === undefined ? NEWEST : GIVEN;
    const drawn = await runWithNext<{ id: number }>(tx, LOCK, [projectId, sha, ref]);
    const pipeline = await askForRow(tx, Pipeline, `${condition} for update`, asked);
    const jobsOf = await PipelineJobs.ask(tx, `select id from ci_pipelines where ${condition}`, asked);
    const known = await pipeline();
    const [row] = await drawn();
    return { id: row?.id ?? 0, jobsOf, known };
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

  /** Finds the unfinished status with this name by the same user on the ref. */
  private async underWay(tx: Tx, { name, ref, userId }: NewStatus, jobs: PipelineJobs): Promise<Job | null> {
    const ids = idsUnderWay(jobs, name);
    if (ids.length === 0) return null;
    const job = await askForRow(tx, Job, UNDER_WAY, [ids, ref, userId]);
    return job();
  }

  private async change(
    tx: Tx,
    pipeline: Pipeline,
    { job, jobs }: { readonly job: Job; readonly jobs: PipelineJobs },
    params: SetCommitStatusParams,
  ): Promise<Row> {
    const values = valuesOf(params);
    if (Object.keys(values).length > 0) await changeRow(tx, Job, job.id, values);
    Object.assign(job, values);
    for (const step of stepsTo(job.status, params.state))
      await this.transitions.move(tx, job, step, step === 'failed' ? { failureReason: 'api_failure' } : {});
    jobs.follow(job);
    await this.processing.processKnown(tx, pipeline, jobs);
    const rows = await runWithNext<CommitStatusRow>(tx, FIND_COMMIT_STATUS, [job.id]);
    return async () => (await rows())[0] as CommitStatusRow;
  }

  private async add(
    tx: Tx,
    pipeline: Pipeline,
    { id, jobs, ...said }: NewStatus & { readonly id: number; readonly jobs: PipelineJobs },
    state: ExternalState,
  ): Promise<Row> {
    const steps = stepsTo('created', state);
    const others = jobs.all.filter(({ kind, name }) => kind !== 'status' || name !== said.name);
    if (others.length >= MAX_JOBS)
      throw badRequest(`400 Bad request - Pipeline has too many jobs! The limit is ${MAX_JOBS}.`);
    const statuses = jobs.all.filter(({ kind }) => kind === 'status');
    const former = statuses.find(({ name }) => name === said.name);
    // Counted here, because reading thousands of rows would cost more than the report itself.
    if (former && statuses.reduce((sum, one) => sum + one.attempt, 0) >= MAX_REPLACED)
      throw badRequest(
        `400 Bad request - Pipeline has too many replaced statuses! The limit is ${MAX_REPLACED}.`,
      );
    const { job, row } = await addStatus(
      tx,
      id,
      { ...said, attempt: former ? former.attempt + 1 : 0 },
      steps,
    );
    await this.transitions.enter(tx, job, steps);
    await this.processing.processKnown(
      tx,
      pipeline,
      new PipelineJobs([...others, ...PipelineJobs.of([job]).all]),
    );
    return row;
  }
}

const idsUnderWay = ({ all }: PipelineJobs, name: string): number[] =>
  all
    .filter(
      (job) => job.kind === 'status' && job.name === name && ['pending', 'running'].includes(job.status),
    )
    .map(({ id }) => id);

/** Returns the statuses to pass through. @throws 400 */
function stepsTo(from: CiStatus, state: ExternalState): readonly CiStatus[] {
  const { steps, problem } = moveExternal(from, state);
  if (problem !== null) throw badRequest(problem);
  return steps;
}

/** Attributes reported besides the state. */
type SaidValues = Partial<Pick<Job, 'targetUrl' | 'description' | 'coverage'>>;

const valuesOf = ({ target_url: targetUrl, description, coverage }: SetCommitStatusParams): SaidValues => ({
  ...(targetUrl === undefined ? {} : { targetUrl: targetUrl || null }),
  ...(description === undefined ? {} : { description }),
  ...(coverage === undefined ? {} : { coverage }),
});

function assertUrl(url: string | undefined): void {
  if (url === undefined || url === '') return;
  // The status is displayed with a link to it.
  const isGood = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url);
  if (!isGood) throw invalid({ target_url: ['must be a valid URL'] });
}
