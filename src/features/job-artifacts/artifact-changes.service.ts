import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { ArtifactStoreService } from '#core/ci/artifacts/artifact-store.service.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';
import { ExpireProjectArtifactsJob } from './expiry/expire-project-artifacts.job.js';

/** Jobs are locked before their artifacts, by all who change both. */
const SHOW = `update ci_jobs set artifacts_expire_at = null, updated_at = now() where id = $1`;

const KEEP = `update ci_job_artifacts set kept = true, expire_at = null, updated_at = now() where job_id = $1 and file_type <> 'trace'`;

/** What people do to artifacts that are there. */
@Injectable()
export class ArtifactChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly store: ArtifactStoreService,
    private readonly jobs: Jobs,
  ) {}

  /** Marks what a job has left: nothing but people who name it removes it any more. @throws 404 without artifacts */
  keep(projectId: number, jobId: number): Promise<void> {
    return this.transactions.run(async (tx) => {
      await this.pipelines.lockJob(tx, projectId, jobId);
      await tx.query(SHOW, [jobId]);
      const [, kept] = await tx.query<[unknown[], number]>(KEEP, [jobId]);
      if (kept === 0) throw notFound('Artifact');
    });
  }

  /** Removes what a job has left, but for its trace. @throws 404 @throws 412 */
  remove(projectId: number, jobId: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { job } = await this.pipelines.lockJob(tx, projectId, jobId);
      if (job.kind !== 'build') throw notFound('Job');
      unmodified(job.updatedAt);
      await this.store.removeOfJob(tx, jobId, { keepTrace: true });
    });
  }

  /** Asks for what the jobs of a project have left to be removed, as far as it may be. */
  expireAll(projectId: number): Promise<void> {
    return this.transactions.run((tx) => this.jobs.enqueue(tx, ExpireProjectArtifactsJob, { projectId }));
  }
}
