import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['deployment_approvals', 'merge_request_approvals'];

/**
 * Whether an approval was given with the rights of an administrator: it counts as long as its author may still approve, and their account does
 * not say what a credential brought. Null, as earlier code writes it, leaves the account to decide.
 */
export class ApprovalsOfPeople1760000002841 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} add column as_admin boolean`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} drop column as_admin`);
  }
}
