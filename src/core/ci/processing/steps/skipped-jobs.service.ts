import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Tx } from '#kernel/database/transactions.js';
import { Job } from '../../jobs/job.entity.js';
import { PipelineProtectionsQueries } from '../../pipelines/pipeline-protections.queries.js';
import { Pipeline } from '../../pipelines/pipeline.entity.js';
import { withDefinitions } from '../job-definitions.js';
import { JobTransitionsService } from '../job-transitions.service.js';
import { PipelineJobs } from './pipeline-jobs.js';

/** Revives skipped jobs when a job before them runs again. */
@Injectable()
export class SkippedJobsService {
  constructor(
    private readonly transitions: JobTransitionsService,
    private readonly protections: PipelineProtectionsQueries,
  ) {}

  /**
   * Revives the skipped jobs that depend on a rerun job by stage or need; they run for the user who reran it.
   * The pipeline must be locked.
   */
  async reviveAfter(tx: Tx, job: Job, userId: number): Promise<void> {
    const jobs = await PipelineJobs.readWithNeeds(tx, job.pipelineId);
    const freed = new Set(jobs.named(job.name).map(({ id }) => id));
    for (const other of jobs.inOrder()) {
      const comesAfter = other.needs === null && other.stageIndex > job.stageIndex;
      if (comesAfter || jobs.neededBy(other).some(({ id }) => freed.has(id))) freed.add(other.id);
    }
    await this.revive(
      tx,
      job.pipelineId,
      jobs.all.filter(({ id, status }) => status === 'skipped' && freed.has(id)).map(({ id }) => id),
      userId,
    );
  }

  /** Revives all skipped jobs of a pipeline, which must be locked. */
  async reviveAll(tx: Tx, pipelineId: number, userId: number): Promise<void> {
    const jobs = await PipelineJobs.read(tx, pipelineId);
    const skipped = jobs.all.filter(({ status, kind }) => status === 'skipped' && kind !== 'status');
    await this.revive(
      tx,
      pipelineId,
      skipped.map(({ id }) => id),
      userId,
    );
  }

  /**
   * The revived jobs run with the rights of the user who reruns the others, which were checked against the
   * present protection.
   */
  private async revive(tx: Tx, pipelineId: number, ids: readonly number[], userId: number): Promise<void> {
    if (ids.length === 0) return;
    const pipeline = await tx.findOneByOrFail(Pipeline, { id: pipelineId });
    const isProtected = await this.protections.isProtected(pipeline);
    const runnable = await withDefinitions(tx, ids);
    const jobs = await tx.find(Job, { where: { id: In([...runnable]) }, order: { id: 'asc' } });
    await this.transitions.moveAll(tx, jobs, 'created', { userId, protected: isProtected });
  }
}
