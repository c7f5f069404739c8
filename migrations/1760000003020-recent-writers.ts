import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who has written in the last seconds, so that their lists do not come from a replica (DATABASE_REPLICA_URL). Unlogged: a note waits for no disk, and
 * after a crash nobody counts as quiet until the table has remembered long enough.
 */
export class RecentWriters1760000003020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create unlogged table recent_writers (
        user_id bigint primary key,
        wrote_at timestamptz not null
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table recent_writers');
  }
}
