import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The setting for everywhere has nothing above it that it could be left to: what counted then is said. */
export class GlobalLevel1760000002840 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `update notification_settings set level = 'participating' where source_type is null and level = 'global'`,
    );
  }

  /** Both mean the same. */
  async down(): Promise<void> {}
}
