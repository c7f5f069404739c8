import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the JUnit report of a job says, once it has been read: an artifact does not change. It can be read again from the artifact, so a release
 * that shows more of it may empty the table.
 */
export class TestReports1760000002770 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table ci_test_reports (
        artifact_id bigint primary key references ci_job_artifacts on delete cascade,
        bytes integer not null,
        total_time double precision not null,
        total_count integer not null,
        success_count integer not null,
        failed_count integer not null,
        skipped_count integer not null,
        error_count integer not null,
        error text,
        cases bytea not null
      );
      alter table ci_test_reports alter column cases set storage external;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ci_test_reports');
  }
}
