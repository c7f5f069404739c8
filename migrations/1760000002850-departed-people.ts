import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Foreign keys to users whose rows go with their user when the user is removed for good, and to the ghost otherwise. */
const KEPT = [
  'events_author_id',
  'award_emoji_user_id',
  'merge_request_approvals_user_id',
  'deployment_approvals_user_id',
];

const tableOf = (name: string): string => name.replace(/_(author|user)_id$/, '');

const comments = (kept: string, right: string): string =>
  [
    ...KEPT.map((name) => `comment on constraint ${name}_fkey on ${tableOf(name)} is ${kept}`),
    `comment on constraint protected_environment_approval_rules_user_id_fkey on protected_environment_approval_rules is ${right}`,
  ].join(';\n');

/**
 * People who go. Comments on foreign keys tell deeds that outlive their author, and rights that nobody inherits. Whoever alone might take a
 * protection away leaves that to administrators; without a row for it everybody who may push settings could.
 */
export class DepartedPeople1760000002850 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(comments(`'kept under the ghost'`, `'a right'`));
    await runner.query(`
      create function keep_protection_closed() returns trigger language plpgsql as $$
      begin
        if not exists (select 1 from users where id = old.user_id)
          and not exists (select 1 from namespaces where id = old.group_id)
          and exists (select 1 from protected_refs where id = old.protected_ref_id)
          and not exists (select 1 from protected_ref_access_levels
            where protected_ref_id = old.protected_ref_id and kind = 'unprotect')
        then
          insert into protected_ref_access_levels (protected_ref_id, kind, access_level)
            values (old.protected_ref_id, 'unprotect', 60);
        end if;
        return null;
      end $$;
      create trigger protected_ref_access_levels_closed after delete on protected_ref_access_levels
        for each row when (old.kind = 'unprotect' and old.access_level is null) execute function keep_protection_closed();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger protected_ref_access_levels_closed on protected_ref_access_levels;
      drop function keep_protection_closed();
    `);
    await runner.query(comments('null', 'null'));
  }
}
