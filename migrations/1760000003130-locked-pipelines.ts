import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Plans that take this index by mistake read the locked pipelines of all projects; the one by ref answers what it did. */
export class LockedPipelines1760000003130 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists ci_pipelines_locked');
  }

  /** In a transaction, as every step back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index if not exists ci_pipelines_locked on ci_pipelines (id) where locked');
  }
}
