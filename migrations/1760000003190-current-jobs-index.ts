import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The jobs of a pipeline that are not retried, by name. A pipeline may have thousands of replaced statuses, which
 * every report and every ending job read to ignore them.
 */
export class CurrentJobsIndex1760000003190 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists ci_jobs_current');
    await runner.query(
      'create index concurrently ci_jobs_current on ci_jobs (pipeline_id, name) where not retried',
    );
    await runner.query('drop index concurrently if exists ci_jobs_pipeline_name');
  }

  /** In a transaction, as every step back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index if not exists ci_jobs_pipeline_name on ci_jobs (pipeline_id, name)');
    await runner.query('drop index if exists ci_jobs_current');
  }
}
