import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { ArtifactStoreService } from '#core/ci/artifacts/artifact-store.service.js';
import { isUnexpiredSql } from '#core/ci/artifacts/unexpired-artifact.sql.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';
import { ExpireProjectArtifactsJob } from './expiry/expire-project-artifacts.job.js';

/** Artifacts of the job no longer expire. Jobs are locked before their artifacts, in the order used everywhere. */
const NEVER = `update ci_jobs set artifacts_expire_at = null, updated_at = now() where id = $1`;

/** What has expired counts as removed, also if the purge of a project has let it expire just now. */
const KEEP = `update ci_job_artifacts set kept = true, expire_at = null, updated_at = now()
  where job_id = $1 and file_type <> 'trace' and ${isUnexpiredSql('ci_job_artifacts')}`;

/** Actions of users on existing artifacts. */
@Injectable()
export class ArtifactChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly store: ArtifactStoreService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Keeps the artifacts of a job: from then on only explicit removal deletes them. @throws 404 without
   * artifacts
   */
  keep(projectId: number, jobId: number): Promise<void> {
    return this.transactions.run(async (tx) => {
      await this.pipelines.lockJob(tx, projectId, jobId);
      await tx.query(NEVER, [jobId]);
      const [, kept] = await tx.query<[unknown[], number]>(KEEP, [jobId]);
      if (kept === 0) throw notFound('Artifact');
    });
  }

  /** Removes the artifacts of a job except its trace. @throws 404 @throws 412 */
  remove(projectId: number, jobId: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { job } = await this.pipelines.lockJob(tx, projectId, jobId);
      if (job.kind !== 'build') throw notFound('Job');
      unmodified(job.updatedAt);
      await tx.query(NEVER, [jobId]);
      await this.store.removeOfJob(tx, jobId, { keepTrace: true });
    });
  }

  /** Enqueues the removal of the artifacts of a project's jobs that may be removed. */
  expireAll(projectId: number): Promise<void> {
    return this.transactions.run((tx) => this.jobs.enqueue(tx, ExpireProjectArtifactsJob, { projectId }));
  }
}
