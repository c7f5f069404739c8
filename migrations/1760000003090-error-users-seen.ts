import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The day on which an error last affected a user, to within some days; those of before count from this migration on. */
export class ErrorUsersSeen1760000003090 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A constant is kept beside the table; an expression would count as a reason to write all rows anew.
    const today = new Date().toISOString().slice(0, 10);
    await runner.query(`alter table error_tracking_error_users
      add column seen_on date not null default '${today}', alter column seen_on set default current_date`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table error_tracking_error_users drop column seen_on');
  }
}
