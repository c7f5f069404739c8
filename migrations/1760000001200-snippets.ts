import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Snippets: their one branch, and indexes for their lists, which are ordered by time of creation and walked by id. */
export class CompleteSnippets1760000001200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table snippets add column default_branch text not null default 'main';
      create index snippets_author_created on snippets (author_id, created_at, id);
      create index snippets_project_created on snippets (project_id, created_at, id) where project_id is not null;
      create index snippets_visibility_created on snippets (visibility, created_at, id);
      create index snippets_visibility on snippets (visibility, id);
      create index snippets_public_created on snippets (created_at, id) where visibility = 'public' and project_id is null;
      create index snippets_unfinished on snippets (created_at) where file_paths = '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index snippets_author_created, snippets_project_created, snippets_visibility_created, snippets_visibility,
        snippets_public_created, snippets_unfinished;
      alter table snippets drop column default_branch;
    `);
  }
}
