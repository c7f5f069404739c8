import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { Job } from '../jobs/job.entity.js';
import { Pipeline } from './pipeline.entity.js';

const OF_JOB = `pipeline.id = (select pipeline_id from ci_jobs where id = :jobId and project_id = coalesce(:projectId::bigint, project_id))`;

/** Finding and locking pipelines and their jobs. */
@Injectable()
export class PipelinesService {
  /** Locks a pipeline; null when it is gone. Nobody else changes it or its jobs until the transaction ends. */
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

  /** Locks the pipeline of a job; null when there is no such job, or none in the project that is given. */
  lockOfJob(tx: Tx, jobId: number, projectId: number | null = null): Promise<Pipeline | null> {
    const query = tx.createQueryBuilder(Pipeline, 'pipeline').setLock('pessimistic_write');
    return query.where(OF_JOB, { jobId, projectId }).getOne();
  }

  /** Locks the pipeline of a job of the project, then reads the job: as nobody can change it any more but a runner that takes it. @throws 404 */
  async lockJob(tx: Tx, projectId: number, jobId: number): Promise<{ pipeline: Pipeline; job: Job }> {
    const pipeline = await this.lockOfJob(tx, jobId, projectId);
    const job = pipeline ? await tx.findOneBy(Job, { id: jobId }) : null;
    if (!pipeline || !job) throw notFound('Job');
    return { pipeline, job };
  }
}
