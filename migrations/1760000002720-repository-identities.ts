import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What tells a repository, and the root of a storage, from whatever else may lie at its place: a random identity, which is never given twice.
 * Repositories of before have none until a job gives them theirs; the root of a storage is adopted with its first use.
 */
export class RepositoryIdentities1760000002720 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table repositories add column identity uuid;
      create index repositories_unmarked on repositories (id) where identity is null;
      create table repository_storages (
        name text primary key,
        identity uuid not null,
        adopted_at timestamptz(3),
        created_at timestamptz(3) not null default now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table repository_storages;
      drop index repositories_unmarked;
      alter table repositories drop column identity;
    `);
  }
}
