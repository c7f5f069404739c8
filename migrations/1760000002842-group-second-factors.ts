import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Since when a group asks its members for a second factor, kept beside the setting whoever writes that: their time to set it up begins then at
 * the earliest, and an index finds the few groups that ask. Nobody was held to it before: their time begins now.
 */
export class GroupSecondFactors1760000002842 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table namespaces add column second_factor_asked_at timestamptz(3);
      update namespaces set second_factor_asked_at = now()
        where type = 'Group' and settings->'require_two_factor_authentication' = 'true';
      create index namespaces_asking_second_factor on namespaces (id) where second_factor_asked_at is not null;
      create function note_second_factor_asked() returns trigger language plpgsql as $$
      begin
        if new.settings->'require_two_factor_authentication' is distinct from 'true'::jsonb then
          new.second_factor_asked_at = null;
        elsif new.second_factor_asked_at is null then
          new.second_factor_asked_at = now();
        end if;
        return new;
      end $$;
      create trigger namespaces_second_factor_asked before insert or update of settings on namespaces
        for each row execute function note_second_factor_asked();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger namespaces_second_factor_asked on namespaces;
      drop function note_second_factor_asked();
      alter table namespaces drop column second_factor_asked_at;
    `);
  }
}
