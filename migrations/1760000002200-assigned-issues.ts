import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The issues that somebody is assigned to in the order of lists, wherever they are. */
export class IndexAssignedIssues1760000002200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index issue_assignees_user_created on issue_assignees (user_id, created_at, issue_id) include (project_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index issue_assignees_user_created');
  }
}
