import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Job } from '../jobs/job.entity.js';
import { isFinished, mayMove, type CiStatus, type FailureReason } from '../jobs/job-status.js';
import { JobStatusChanged } from './job-status-changed.event.js';

/** What changes with the status. */
export interface JobChange {
  readonly failureReason?: FailureReason | (string & {});
  readonly exitCode?: number;
  readonly userId?: number;
  readonly scheduledAt?: Date;
  readonly allowFailure?: boolean;
}

/** The job may not go where it was to go; whoever asks turns it into an answer. */
export class IllegalTransition extends Error {
  constructor(
    readonly from: CiStatus,
    readonly to: CiStatus,
  ) {
    super(`A job that is ${from} cannot become ${to}`);
  }
}

/**
 * The one place where jobs change their status. Order of locks, everywhere: pipeline, pending row, job, environment, deployment. Only
 * a runner that takes a job (`JobPicking`) comes without the lock of the pipeline: it takes the pending row first, as is done here.
 */
@Injectable()
export class JobTransitions {
  constructor(private readonly events: DomainEvents) {}

  /**
   * Gives a job another status, in the row and in `job`; `processPipeline` must follow before the transaction ends. The caller holds the lock
   * of the pipeline and has read the job after that.
   * @throws IllegalTransition
   */
  async move(tx: Tx, job: Job, to: CiStatus, change: JobChange = {}): Promise<void> {
    const from = job.status;
    if (from === 'pending') await tx.query('delete from ci_pending_jobs where job_id = $1', [job.id]);
    // A runner may have taken it while the row of the queue was waited for.
    if (from === 'pending') await this.reread(tx, job);
    if (!mayMove(job.status, to)) throw new IllegalTransition(job.status, to);
    const now = new Date();
    Object.assign(job, {
      status: to,
      ...(to === 'pending' ? { queuedAt: now, scheduledAt: null } : {}),
      ...(to === 'running' ? { startedAt: now, runnerSeenAt: now } : {}),
      ...(isFinished(to) && to !== 'skipped' ? { finishedAt: now } : {}),
      ...(to === 'failed' ? { failureReason: change.failureReason ?? 'unknown_failure' } : {}),
      ...(change.exitCode === undefined ? {} : { exitCode: change.exitCode }),
      ...(change.userId === undefined ? {} : { userId: change.userId }),
      ...(change.scheduledAt === undefined ? {} : { scheduledAt: change.scheduledAt }),
      ...(change.allowFailure === undefined ? {} : { allowFailure: change.allowFailure }),
    });
    await tx.save(Job, job, { reload: false });
    if (to === 'pending' && job.kind === 'build') {
      await tx.query(
        `insert into ci_pending_jobs (job_id, project_id, protected, tag_list) values ($1, $2, $3, $4)`,
        [job.id, job.projectId, job.protected, job.tagList],
      );
    }
    await this.events.publish(tx, new JobStatusChanged(job, from));
  }

  private async reread(tx: Tx, job: Job): Promise<void> {
    const fresh = await tx.findOne(Job, { where: { id: job.id }, lock: { mode: 'pessimistic_write' } });
    if (fresh) Object.assign(job, fresh);
  }
}
