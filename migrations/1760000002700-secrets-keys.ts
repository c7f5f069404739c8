import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which keys (`SECRETS_KEY`) secrets of this database are sealed with: digests that lead to no key. */
export class SecretsKeys1760000002700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table secrets_keys (
        fingerprint text primary key,
        created_at timestamptz(3) not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table secrets_keys');
  }
}
