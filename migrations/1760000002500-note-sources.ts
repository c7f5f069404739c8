import type { MigrationInterface, QueryRunner } from 'typeorm';

const SOURCES = [
  { table: 'issues', type: 'Issue' },
  { table: 'merge_requests', type: 'MergeRequest' },
  { table: 'epics', type: 'Epic' },
  { table: 'projects', type: 'Commit' },
];

/**
 * System notes that tell of something elsewhere (a mention there, what has closed a thing), with what that is: nobody reads the note who cannot read its
 * source. A commit is of a project, and goes with that. What one source mentions has one note of it.
 */
export class CreateNoteSources1760000002500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table note_sources (
        note_id bigint primary key references notes on delete cascade,
        target_type text not null check (target_type in ('Issue', 'MergeRequest', 'Epic')),
        target_id bigint not null,
        source_type text not null check (source_type in ('Issue', 'MergeRequest', 'Epic', 'Commit')),
        source_id bigint not null,
        commit_sha text not null default '',
        is_mention boolean not null,
        check ((source_type = 'Commit') = (commit_sha <> ''))
      );
      create unique index note_sources_mention on note_sources (target_type, target_id, source_type, source_id, commit_sha) where is_mention;
      create index note_sources_target on note_sources (target_type, target_id, note_id);
      create index note_sources_source on note_sources (source_type, source_id, target_type, target_id);
      create function remove_notes_of_source() returns trigger language plpgsql as $$
        begin
          delete from notes n using changed, note_sources x
            where x.source_type = tg_argv[0] and x.source_id = changed.id and n.id = x.note_id;
          return null;
        end $$;
      ${SOURCES.map(
        ({
          table,
          type,
        }) => `create trigger ${table}_notes_of_source_removed after delete on ${table} referencing old table as changed
          for each statement execute function remove_notes_of_source('${type}');`,
      ).join(' ')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${SOURCES.map(({ table }) => `drop trigger ${table}_notes_of_source_removed on ${table};`).join(' ')}
      drop function remove_notes_of_source();
      drop table note_sources;
    `);
  }
}
