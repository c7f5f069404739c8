import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Job } from '../jobs/job.entity.js';
import { isFinished, mayMove, type CiStatus, type FailureReason } from '../jobs/job-status.js';
import { AutomaticRetryService } from './automatic-retry.service.js';
import { JobStatusChanged } from './events/job-status-changed.event.js';

/** Columns that change together with the status. */
export interface JobChange {
  readonly failureReason?: FailureReason;
  readonly exitCode?: number;
  readonly userId?: number;
  readonly scheduledAt?: Date;
  /** Why the job is scheduled; cleared with the next status. */
  readonly waitingReason?: string;
  readonly allowFailure?: boolean;
  readonly protected?: boolean;
}

/** Thrown when a status change is not allowed; callers translate it into a response. */
export class IllegalTransition extends Error {
  constructor(
    readonly from: CiStatus,
    readonly to: CiStatus,
  ) {
    super(`A job that is ${from} cannot become ${to}`);
  }
}

const QUEUED =
  'insert into ci_pending_jobs (job_id, project_id, protected, tag_list) select id, project_id, protected, tag_list';

const QUEUE = `${QUEUED} from ci_jobs where id = any($1) and kind = 'build' order by id`;

/**
 * One statement text for all changes, and one plan for any number of jobs, which the sub-select hides from
 * the planner. Jobs that become pending are queued.
 */
const MOVE = `with moved as (update ci_jobs set status = $2::text, updated_at = $3, waiting_reason = $4,
    scheduled_at = case when $2::text = 'pending' then null else coalesce($5::timestamptz, scheduled_at) end,
    queued_at = coalesce($6, queued_at), started_at = coalesce($7, started_at), runner_seen_at = coalesce($8, runner_seen_at),
    finished_at = coalesce($9, finished_at), failure_reason = coalesce($10, failure_reason), exit_code = coalesce($11, exit_code),
    user_id = coalesce($12, user_id), allow_failure = coalesce($13, allow_failure), protected = coalesce($14, protected)
  where id = any((select $1::bigint[])::bigint[]) returning id, project_id, protected, tag_list, kind, status)
  ${QUEUED} from moved where status = 'pending' and kind = 'build' order by id`;

/** Column values of a job that no runner has taken. */
const UNTAKEN = {
  status: 'pending',
  runnerId: null,
  tokenDigest: null,
  startedAt: null,
  runnerSeenAt: null,
  timeout: null,
} as const satisfies Partial<Job>;

/**
 * The only place where jobs change their status. Lock order, everywhere: pipeline, pending row, job,
 * environment, deployment. Only a runner that takes a job (`PickJob`) does not hold the lock of the pipeline:
 * it locks the pending row first, as is done here, and no event is published until the pipeline is locked and
 * the job is started by `begin` or returned by `takeBack`.
 */
@Injectable()
export class JobTransitionsService {
  constructor(
    private readonly events: DomainEvents,
    private readonly retries: AutomaticRetryService,
  ) {}

  /**
   * Changes the status of a job, in its row and in `job`; `ProcessPipeline.process` must follow in the same
   * transaction. The caller holds the lock of the pipeline and has read the job after that. A pending or
   * running job that fails is replaced by a retry if its definition says so.
   * @throws IllegalTransition
   */
  async move(tx: Tx, job: Job, to: CiStatus, change: JobChange = {}): Promise<void> {
    const from = job.status;
    const tolerated = to === 'failed' && (await this.retries.isTolerated(tx, job, change.exitCode));
    await this.moveAll(tx, [job], to, tolerated ? { ...change, allowFailure: true } : change);
    if (to === 'failed' && (from === 'running' || from === 'pending')) await this.retries.retry(tx, job);
  }

  /**
   * Changes the status of several jobs of one pipeline at once, without retries. @throws IllegalTransition
   */
  async moveAll(tx: Tx, jobs: readonly Job[], to: CiStatus, change: JobChange = {}): Promise<void> {
    if (jobs.length === 0) return;
    await this.takeFromQueue(tx, jobs);
    for (const { status } of jobs) if (!mayMove(status, to)) throw new IllegalTransition(status, to);
    const froms = jobs.map(({ status }) => status);
    const ids = jobs.map(({ id }) => id);
    const values = changed(to, change);
    await runDeferred(tx, MOVE, [ids, ...moveValues(values)]);
    for (const job of jobs) Object.assign(job, values);
    for (const [at, job] of jobs.entries())
      await this.events.publish(tx, new JobStatusChanged(job, froms[at] as CiStatus));
  }

  /**
   * Publishes the status changes of a job created by `madeThrough`. `ProcessPipeline.process` must follow.
   */
  async enter(tx: Tx, job: Job, steps: readonly CiStatus[]): Promise<void> {
    let from: CiStatus = 'created';
    for (const step of steps) {
      job.status = step;
      await this.events.publish(tx, new JobStatusChanged(job, from));
      from = step;
    }
  }

  /**
   * Publishes that a job which a runner has taken is running. The caller holds the lock of the pipeline and
   * has read the job after that.
   */
  begin(tx: Tx, job: Job): Promise<void> {
    return this.events.publish(tx, new JobStatusChanged(job, 'pending'));
  }

  /**
   * Takes an unpublished job back from its runner: it is pending but not queued, so the caller must move it
   * on. Locks as for `begin`.
   */
  async takeBack(tx: Tx, job: Job): Promise<void> {
    await tx.update(Job, { id: job.id }, UNTAKEN);
    Object.assign(job, UNTAKEN);
  }

  /** Takes an unpublished job back from a runner that may not have it, and queues it for another one. */
  async giveBack(tx: Tx, job: Job): Promise<void> {
    await this.takeBack(tx, job);
    await tx.query(QUEUE, [[job.id]]);
  }

  /**
   * Removes jobs from the queue, where only builds are. A runner may take a job while this waits for its
   * pending row: then the job is running.
   */
  private async takeFromQueue(tx: Tx, jobs: readonly Job[]): Promise<void> {
    const waiting = jobs.filter(({ kind, status }) => kind === 'build' && status === 'pending');
    if (waiting.length === 0) return;
    const ids = waiting.map(({ id }) => id).sort((a, b) => a - b);
    await tx.query('delete from ci_pending_jobs where job_id = any($1)', [ids]);
    const fresh = await tx.find(Job, {
      where: { id: In(ids) },
      order: { id: 'asc' },
      lock: { mode: 'pessimistic_write' },
    });
    const byId = new Map(fresh.map((job) => [job.id, job]));
    for (const job of waiting) Object.assign(job, byId.get(job.id));
  }
}

/** Computes the columns of a new job that passes through these statuses at once. @throws IllegalTransition */
export function madeThrough(steps: readonly CiStatus[], change: JobChange = {}): Partial<Job> {
  let from: CiStatus = 'created';
  let values: Partial<Job> = { status: from };
  for (const step of steps) {
    if (!mayMove(from, step)) throw new IllegalTransition(from, step);
    values = { ...values, ...changed(step, step === 'failed' ? change : {}) };
    from = step;
  }
  return values;
}

/** Values $2 to $14 of `MOVE`. */
const moveValues = (values: Partial<Job>): unknown[] => [
  values.status,
  values.updatedAt,
  values.waitingReason,
  values.scheduledAt,
  values.queuedAt,
  values.startedAt,
  values.runnerSeenAt,
  values.finishedAt,
  values.failureReason,
  storedExitCode(values.exitCode),
  values.userId,
  values.allowFailure,
  values.protected,
];

/** The column is signed: a code that is not is stored with the same 32 bits. */
const storedExitCode = (code: number | null | undefined): number | null | undefined =>
  typeof code === 'number' ? code | 0 : code;

function changed(to: CiStatus, change: JobChange): Partial<Job> {
  const now = new Date();
  return {
    status: to,
    updatedAt: now,
    waitingReason: change.waitingReason ?? null,
    ...(to === 'pending' ? { queuedAt: now, scheduledAt: null } : {}),
    ...(to === 'running' ? { startedAt: now, runnerSeenAt: now } : {}),
    ...(isFinished(to) && to !== 'skipped' ? { finishedAt: now } : {}),
    ...(to === 'failed' ? { failureReason: change.failureReason ?? 'unknown_failure' } : {}),
    ...(change.exitCode === undefined ? {} : { exitCode: change.exitCode }),
    ...(change.userId === undefined ? {} : { userId: change.userId }),
    ...(change.scheduledAt === undefined ? {} : { scheduledAt: change.scheduledAt }),
    ...(change.allowFailure === undefined ? {} : { allowFailure: change.allowFailure }),
    ...(change.protected === undefined ? {} : { protected: change.protected }),
  };
}
