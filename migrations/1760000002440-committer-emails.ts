import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose commits a merge request brings: the addresses of their committers, in small letters; null where nobody has looked. */
export class AddCommitterEmails1760000002440 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table merge_requests add committer_emails text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table merge_requests drop committer_emails');
  }
}
