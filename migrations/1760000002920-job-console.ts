import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Queues that are paused, and since when jobs run. */
export class JobConsole1760000002920 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      set local lock_timeout = '5s';
      create table paused_queues (
        name text primary key,
        paused_at timestamptz(3) not null default now()
      );
      alter table background_jobs add column started_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      set local lock_timeout = '5s';
      alter table background_jobs drop column started_at;
      drop table paused_queues;
    `);
  }
}
