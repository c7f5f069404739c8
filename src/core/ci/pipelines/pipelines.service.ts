import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { askForRow } from '#kernel/database/statements/rows.js';
import { notFound } from '#kernel/http/errors.js';
import { Job } from '../jobs/job.entity.js';
import { Pipeline } from './pipeline.entity.js';

const OF_JOB = `pipeline.id = (select pipeline_id from ci_jobs where id = :jobId and project_id = coalesce(:projectId::bigint, project_id))`;

const LOCK_OF_JOB = `id = (select pipeline_id from ci_jobs where id = $1 and project_id = coalesce($2::bigint, project_id)) for update`;

/** A job with its locked pipeline. */
export interface LockedJob {
  readonly pipeline: Pipeline;
  readonly job: Job;
}

/** Finds and locks pipelines and their jobs. */
@Injectable()
export class PipelinesService {
  /**
   * Locks a pipeline; null if it does not exist. Others cannot change it or its jobs until the transaction
   * ends.
   */
  lockOrNull(tx: Tx, id: number): Promise<Pipeline | null> {
    return tx.findOne(Pipeline, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Locks a pipeline of a project. @throws 404 */
  async lock(tx: Tx, projectId: number, id: number): Promise<Pipeline> {
    const pipeline = await tx.findOne(Pipeline, {
      where: { id, projectId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!pipeline) throw notFound('Pipeline');
    return pipeline;
  }

  /** Locks the pipeline of a job; null if the job does not exist, or not in the given project. */
  lockOfJob(tx: Tx, jobId: number, projectId: number | null = null): Promise<Pipeline | null> {
    const query = tx.createQueryBuilder(Pipeline, 'pipeline').setLock('pessimistic_write');
    return query.where(OF_JOB, { jobId, projectId }).getOne();
  }

  /** Locks the pipeline of a job of the project, and reads the job. @throws 404 */
  async lockJob(tx: Tx, projectId: number, jobId: number): Promise<LockedJob> {
    const locked = await this.lockWithJob(tx, jobId, projectId);
    if (!locked) throw notFound('Job');
    return locked;
  }

  /**
   * Locks the pipeline of a job, then reads the job, which from then on only a runner that takes it can
   * change. Null if there is no such job.
   */
  async lockWithJob(tx: Tx, jobId: number, projectId: number | null = null): Promise<LockedJob | null> {
    const locked = await this.askOfJob(tx, jobId, projectId);
    // A separate statement, to see what was committed while this one waited for the lock.
    const read = await askForRow(tx, Job, 'id = $1', [jobId]);
    const [pipeline, job] = [await locked(), await read()];
    return pipeline && job && { pipeline, job };
  }

  /** Locks the pipeline of a job in one round trip with the next statement of `tx`. */
  askOfJob(tx: Tx, jobId: number, projectId: number | null = null): Promise<() => Promise<Pipeline | null>> {
    return askForRow(tx, Pipeline, LOCK_OF_JOB, [jobId, projectId]);
  }
}
