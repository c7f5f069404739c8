import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a migration was asked for with the rights of an administrator: it goes on for hours, and the account does not say what a credential
 * brought. Null, as earlier code writes it, leaves the account to decide.
 */
export class ImportsOfAdministrators1760000002910 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table bulk_imports add column as_admin boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table bulk_imports drop column as_admin');
  }
}
