import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the waiting jobs that a runner may take without reading those of other tags. */
export class PendingJobKinds1760000003110 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists ci_pending_jobs_kind');
    await runner.query(
      `create index concurrently ci_pending_jobs_kind
        on ci_pending_jobs (project_id, hash_array_extended(tag_list, 0), protected, job_id)`,
    );
  }

  /** In a transaction, as every step back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists ci_pending_jobs_kind');
  }
}
