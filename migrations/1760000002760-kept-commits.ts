import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A table that names commits: the project that has them, the ids, and what else has to be joined to the row `t`. */
interface Naming {
  readonly table: string;
  readonly project: string;
  readonly shas: readonly string[];
  readonly join?: string;
  readonly where?: string;
}

const NAMING: readonly Naming[] = [
  {
    table: 'merge_requests',
    project: 't.project_id',
    shas: ['base_sha', 'start_sha', 'head_sha', 'merge_commit_sha', 'squash_commit_sha'],
  },
  {
    table: 'merge_request_versions',
    project: 'm.project_id',
    shas: ['base_sha', 'start_sha', 'head_sha'],
    join: 'join merge_requests m on m.id = t.merge_request_id',
  },
  { table: 'ci_pipelines', project: 't.project_id', shas: ['sha', 'before_sha'] },
  { table: 'deployments', project: 't.project_id', shas: ['sha'] },
  {
    table: 'notes',
    project: 't.project_id',
    shas: ['commit_id', `position->>'base_sha'`, `position->>'start_sha'`, `position->>'head_sha'`],
    where: '(t.commit_id is not null or t.position is not null)',
  },
  { table: 'note_sources', project: 't.source_id', shas: ['commit_sha'], where: `t.source_type = 'Commit'` },
];

/** Ids of the rows `t` in `rows`. Without a repository there is nothing to keep yet; what is known needs no second look. */
const named = (
  { project, shas, join = '', where = 'true' }: Naming,
  rows: string,
): string => `select distinct ${project} as project_id, v.sha
  from ${rows} t ${join} cross join lateral (values ${shas.map((sha) => `(t.${sha})`).join(', ')}) v(sha)
  where ${where} and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = ${project} and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = ${project} and k.sha = v.sha and not k.is_missing)`;

const trigger = (of: Naming): string => `
  create function name_commits_of_${of.table}() returns trigger language plpgsql as $$
    begin
      insert into named_commits (project_id, sha) ${named(of, 'changed')};
      return null;
    end $$;
  create trigger ${of.table}_name_commits after insert on ${of.table} referencing new table as changed
    for each statement execute function name_commits_of_${of.table}();`;

const MERGE_REQUEST_SHAS = NAMING[0]?.shas ?? [];
const tuple = (row: string): string => `(${MERGE_REQUEST_SHAS.map((sha) => `${row}.${sha}`).join(', ')})`;

/**
 * Every commit that a row names is kept by the repository, whatever becomes of branches. Triggers write the names down (rows are only added, so
 * that nobody waits for anybody), a job keeps them by refs and remembers what it has kept, and what was not there to be kept.
 */
export class KeptCommits1760000002760 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table named_commits (project_id bigint not null, sha text not null);
      create index named_commits_project on named_commits (project_id, sha);
      create table kept_commits (
        project_id bigint not null references projects on delete cascade,
        sha text not null,
        is_missing boolean not null default false,
        primary key (project_id, sha)
      );
      create index kept_commits_missing on kept_commits (project_id) where is_missing;
      alter table repositories add column commits_collected_at timestamptz;
      create index repositories_commits_not_collected on repositories (id)
        where commits_collected_at is null and owner_type = 'Project' and kind = 'code';
      create function collect_commits_of(project bigint) returns void language sql as $$
        ${NAMING.map((of) => `insert into named_commits (project_id, sha) ${named(of, of.table)} and ${of.project} = project`).join('; ')}
      $$;
      ${NAMING.map(trigger).join('')}
      create function name_commits_of_merge_request() returns trigger language plpgsql as $$
        begin
          insert into named_commits (project_id, sha) ${named(NAMING[0] as Naming, '(select new.*)')};
          return null;
        end $$;
      create trigger merge_requests_rename_commits after update on merge_requests for each row
        when (${tuple('old')} is distinct from ${tuple('new')}) execute function name_commits_of_merge_request();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger merge_requests_rename_commits on merge_requests;
      drop function name_commits_of_merge_request();
      ${NAMING.map(({ table }) => `drop trigger ${table}_name_commits on ${table}; drop function name_commits_of_${table}();`).join(' ')}
      drop function collect_commits_of(bigint);
      drop index repositories_commits_not_collected;
      alter table repositories drop column commits_collected_at;
      drop table kept_commits, named_commits;
    `);
  }
}
