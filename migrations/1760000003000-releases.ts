import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which releases have run here and what they can run beside, and how far changes of existing rows have come. */
export class Releases1760000003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table releases (
        version text primary key,
        oldest_beside text not null,
        first_started_at timestamptz(3) not null default now()
      );
      create table backfills (
        name text primary key,
        position bigint,
        done bigint not null default 0,
        total bigint,
        error text,
        started_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        finished_at timestamptz(3)
      );
      create index backfills_unfinished on backfills (name) where finished_at is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table backfills; drop table releases');
  }
}
