import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deployment jobs wait for the end of a freeze, and say so; somebody may have let one go on in spite of it. */
export class FrozenJobs1760000002810 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table ci_jobs add column waiting_reason text, add column freeze_overridden boolean not null default false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ci_jobs drop column waiting_reason, drop column freeze_overridden');
  }
}
