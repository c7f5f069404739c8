import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  bulk_import_entities_import_id: 'bulk_import_entities (bulk_import_id, id)',
  bulk_imports_user_id: 'bulk_imports (user_id, id)',
  ci_variables_owner_id: 'ci_variables (owner_type, owner_id, id)',
  managed_licenses_project_id: 'managed_licenses (project_id, id)',
  personal_access_tokens_impersonation: 'personal_access_tokens (user_id, id) where impersonation',
  protected_environments_group_id: 'protected_environments (group_id, id) where group_id is not null',
  protected_environments_project_id: 'protected_environments (project_id, id) where project_id is not null',
  protected_refs_project_id: 'protected_refs (project_id, ref_type, id)',
} as const;

/** Pages by id of what one owner has, which the planner otherwise read from the rows of all owners. */
export class IdsOfOwners1760000003160 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${columns}`);
    }
  }

  /** In a transaction, as every step back. */
  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`drop index if exists ${name}`);
  }
}
