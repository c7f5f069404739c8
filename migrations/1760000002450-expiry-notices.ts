import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What their owners have been told of the expiry of tokens, keys and memberships: each of it once. Of a membership, for which day. */
export class AddExpiryNotices1760000002450 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table personal_access_tokens add column expiry_told text check (expiry_told in ('expiring', 'expired'));
      alter table ssh_keys add column expiry_told boolean not null default false;
      alter table members add column expiry_told_for date;
      create index ssh_keys_expiry on ssh_keys (expires_at) where expires_at is not null and not expiry_told;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index ssh_keys_expiry;
      alter table members drop column expiry_told_for;
      alter table ssh_keys drop column expiry_told;
      alter table personal_access_tokens drop column expiry_told;
    `);
  }
}
