import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of snippets that are brought over from another instance, from the transaction that makes the snippet until a job has written its repository. */
export class CreateImportedSnippets1760000002420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table imported_snippet_files (
        snippet_id bigint not null references snippets on delete cascade,
        path text not null,
        content bytea not null,
        created_at timestamptz(3) not null default now(),
        primary key (snippet_id, path)
      );
      alter table imported_snippet_files alter content set storage external;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table imported_snippet_files');
  }
}
