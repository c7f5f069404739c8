import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Epics that have come over before the epic of their group that they stand below; a row goes when that one has come. */
export class CreateImportedEpicParents1760000002540 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table imported_epic_parents (
        epic_id bigint primary key references epics on delete cascade,
        entity_id bigint not null references bulk_import_entities on delete cascade,
        parent_source_id bigint,
        parent_iid integer,
        parent_title text,
        relative_position integer,
        created_at timestamptz(3) not null default now()
      );
      create index imported_epic_parents_entity on imported_epic_parents (entity_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table imported_epic_parents');
  }
}
