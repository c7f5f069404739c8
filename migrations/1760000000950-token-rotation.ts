import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When rotations of personal tokens were committed; until then nobody who rotates the same token has come late. */
export class SettleTokenRotations1760000000950 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table personal_access_tokens add column settled_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table personal_access_tokens drop column settled_at');
  }
}
