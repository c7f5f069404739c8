import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What cancels a pipeline according to its configuration; null for the defaults. */
export class AutoCancel1760000003080 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table ci_pipelines add column cancel_on_new_commit text, add column cancel_on_job_failure text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table ci_pipelines drop column cancel_on_new_commit, drop column cancel_on_job_failure',
    );
  }
}
