import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Forgets the kept results of test reports of which only the beginning, or nothing for their encoding, had been read: they are read
 * again when somebody asks for them.
 */
export class RereadTestReports1760000003120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'delete from ci_test_reports where total_count >= 10000 or (total_count = 0 and error is null)',
    );
  }

  /** Reports are read whenever their results are not kept. */
  async down(): Promise<void> {}
}
