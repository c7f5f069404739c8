import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the users whom an error no longer affects. */
export class ErrorUsersSeenIndex1760000003091 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists error_tracking_error_users_seen');
    await runner.query(
      'create index concurrently error_tracking_error_users_seen on error_tracking_error_users (seen_on)',
    );
  }

  /** In a transaction, as every step back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists error_tracking_error_users_seen');
  }
}
