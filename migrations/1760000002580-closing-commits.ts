import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which issues a merge request closes by its own text, and which by what its commits say. */
export class ClosingCommits1760000002580 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table merge_requests_closing_issues
        add column by_text boolean not null default true,
        add column by_commits boolean not null default false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from merge_requests_closing_issues where not by_text;
      alter table merge_requests_closing_issues drop column by_text, drop column by_commits`);
  }
}
