import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nothing reads waiting jobs by this index any more, and plans that take it by mistake read whole queues. */
export class PendingJobProject1760000003120 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists ci_pending_jobs_project');
  }

  /** In a transaction, as every step back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index if not exists ci_pending_jobs_project on ci_pending_jobs (project_id, job_id)',
    );
  }
}
