import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Epics below other epics, in an order made by hand; an epic without a parent has no place in one. */
export class AddEpicParents1760000002460 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table epics
        add column parent_id bigint references epics on delete set null check (parent_id <> id),
        add column relative_position integer;
      create index epics_parent on epics (parent_id, relative_position, id) where parent_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table epics drop column parent_id, drop column relative_position');
  }
}
