import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A needed job for which a job with many needs waits, so that these are not read whenever another job ends. */
export class AwaitedJobs1760000003050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ci_jobs add column awaited text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ci_jobs drop column awaited');
  }
}
