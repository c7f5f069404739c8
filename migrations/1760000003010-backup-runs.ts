import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which backups have been made, for metrics and the schedule; the backups themselves say what they hold. */
export class BackupRuns1760000003010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table backup_runs (
        name text primary key,
        started_at timestamptz(3) not null,
        finished_at timestamptz(3) not null default now(),
        bytes bigint not null,
        findings integer not null default 0
      );
      create index backup_runs_finished on backup_runs (finished_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table backup_runs');
  }
}
