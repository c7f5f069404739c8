import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the intake has found in an event stays beside it until it is grouped: reading a payload again costs more than all else there. Null where the
 * payload has to be read: of events that an earlier version has stored. Payloads are compressed in a fifth of the time where the server can do so.
 */
export class KeepErrorEventFacts1760000002300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table error_tracking_events add column facts json;
      do $$ begin
        if exists (select 1 from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)) then
          alter table error_tracking_events alter column payload set compression lz4;
        end if;
      end $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table error_tracking_events alter column payload set compression default;
      alter table error_tracking_events drop column facts;
    `);
  }
}
