import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a backup was made, so that a folder that has lost all of them is noticed; null for those before. */
export class BackupTargets1760000003140 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table backup_runs add column target text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table backup_runs drop column target');
  }
}
