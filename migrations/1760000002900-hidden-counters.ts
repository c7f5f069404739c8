import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What counters leave out for those from whom it is hidden: most projects and things have none of it, and say so by one look into an index. */
export class HiddenCounters1760000002900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index issues_open_confidential on issues (project_id, author_id) where confidential and state = 'opened';
      create index notes_internal on notes (noteable_type, noteable_id) where internal and not system;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index issues_open_confidential, notes_internal');
  }
}
