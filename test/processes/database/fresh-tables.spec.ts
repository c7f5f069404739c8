import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PLANNER_COSTS } from '#kernel/database/planner-costs.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { startApi, type TestApi } from '../../support/api.js';
import { buildProjectTeam, type ProjectTeam } from '../../support/builders/project-team.js';
import { createTestDatabase } from '../../support/database.js';

const ROWS = 100_000;
/** Rows that PostgreSQL knows of when it plans: with fewer it does not analyze a table by itself. */
const KNOWN = 60;

/** Rows of each table, from a number `n` on; half of them in another project. */
const FILLS: Readonly<Record<string, string>> = {
  users: `insert into users (username, name, email, confirmed_at) select 'row' || n, 'row' || n, 'row' || n || '@example.com', now() from generate_series($2::int, $3::int) n where $1::bigint[] is not null`,
  members: `insert into members (source_type, source_id, user_id, access_level)
    select 'Project', ($1::bigint[])[1 + u.id % 2], u.id, 30 from users u where u.username ~ '^row[0-9]+$' and substr(u.username, 4)::int between $2::int and $3::int`,
  labels: `insert into labels (project_id, title, color) select ($1::bigint[])[1 + n % 2], 'l' || n, '#428BCA' from generate_series($2::int, $3::int) n`,
  milestones: `insert into milestones (project_id, iid, title) select ($1::bigint[])[1 + n % 2], n, 'm' || n from generate_series($2::int, $3::int) n`,
  issues: `insert into issues (project_id, iid, author_id, title) select ($1::bigint[])[1 + n % 2], n, 1, 'i' || n from generate_series($2::int, $3::int) n`,
  issue_labels: `insert into issue_labels (issue_id, label_id) select i.id, (select id from labels l where l.project_id = i.project_id limit 1)
    from issues i where i.iid between $2::int and $3::int and $1::bigint[] is not null`,
  issue_assignees: `insert into issue_assignees (issue_id, user_id) select i.id, 1 from issues i where i.iid between $2::int and $3::int and $1::bigint[] is not null`,
  merge_requests: `insert into merge_requests (project_id, source_project_id, source_branch, target_branch, iid, author_id, title)
    select ($1::bigint[])[1 + n % 2], ($1::bigint[])[1 + n % 2], 'b' || n, 'main', n, 1, 'r' || n from generate_series($2::int, $3::int) n`,
  notes: `insert into notes (noteable_type, noteable_id, project_id, author_id, discussion_id, body)
    select case when i.iid % 3 = 0 then 'MergeRequest' else 'Issue' end, i.id, i.project_id, 1, md5(i.id::text), 'A word' from issues i
    where i.iid between $2::int and $3::int and $1::bigint[] is not null`,
  events: `insert into events (project_id, author_id, kind, payload)
    select ($1::bigint[])[1 + n % 2], 1, 21, '{"commit_count":1,"action":"pushed","ref_type":"branch","commit_from":null,"commit_to":null,"ref":"main","commit_title":"Words","ref_count":null}'
    from generate_series($2::int, $3::int) n`,
  environments: `insert into environments (project_id, name, slug, tier) select ($1::bigint[])[1 + n % 2], 'e' || n, 'e' || n, 'other' from generate_series($2::int, $3::int) n`,
  deployments: `insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status)
    select e.project_id, e.id, substr(e.name, 2)::int, 1, 'main', md5(e.id::text) || '01234567', false, 'success' from environments e
    where substr(e.name, 2)::int between $2::int and $3::int and $1::bigint[] is not null`,
  ci_pipelines: `insert into ci_pipelines (project_id, iid, ref, sha, source, status, user_id)
    select ($1::bigint[])[1 + n % 2], n, 'main', md5(n::text) || '01234567', 'push', 'success', 1 from generate_series($2::int, $3::int) n`,
  ci_jobs: `insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref)
    select p.project_id, p.id, 'build', 'job', 'test', 1, 'success', 1, 'main' from ci_pipelines p where p.iid between $2::int and $3::int and $1::bigint[] is not null`,
  alerts: `insert into alerts (project_id, iid, title, severity, status, started_at, fingerprint, payload)
    select ($1::bigint[])[1 + n % 2], n, 'a' || n, 1, 0, now(), decode(md5(n::text), 'hex'), '{}' from generate_series($2::int, $3::int) n`,
  error_tracking_errors: `insert into error_tracking_errors (project_id, group_key, name, level, status, events_count, first_seen_at, last_seen_at)
    select ($1::bigint[])[1 + n % 2], decode(md5(n::text), 'hex'), 'E' || n, 'error', 'unresolved', 1, now(), now() from generate_series($2::int, $3::int) n`,
};

/** Frequent lists, and single objects with their parts; `:p` is the project. */
const READS = [
  '/projects/:p/issues',
  '/projects/:p/issues?state=opened&order_by=updated_at',
  '/projects/:p/issues?assignee_id=1',
  '/projects/:p/issues/:i',
  '/projects/:p/issues/:i/notes',
  '/projects/:p/issues/:i/participants',
  '/projects/:p/merge_requests',
  '/projects/:p/merge_requests?state=opened',
  '/projects/:p/merge_requests/:i/notes',
  '/projects/:p/labels',
  '/projects/:p/milestones',
  '/projects/:p/members',
  '/projects/:p/members/all',
  '/projects/:p/events',
  '/projects/:p/environments',
  '/projects/:p/deployments',
  '/projects/:p/deployments?order_by=updated_at&sort=desc',
  '/projects/:p/pipelines',
  '/projects/:p/jobs',
  '/projects/:p/alert_management_alerts',
  '/projects/:p/error_tracking/errors',
  '/projects/:p',
  '/projects',
  '/issues?scope=assigned_to_me',
  '/issues?scope=all',
  '/merge_requests?scope=created_by_me',
  '/events',
  '/users?per_page=20',
  '/users/1/events',
] as const;

describe('tables that PostgreSQL has not analyzed yet', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let paths: string[];

  beforeAll(async () => {
    api = await startApi();
    team = await buildProjectTeam(api);
    const other = await buildProjectTeam(api);
    const projects = [team.projectId, other.projectId];
    const client = new pg.Client({ connectionString: api.databaseUrl });
    await client.connect();
    const tables = Object.keys(FILLS);
    for (const table of tables) await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
    const fill = async (first: number, last: number): Promise<void> => {
      for (const table of tables) {
        // Counters and foreign keys do not matter here; links to issues get their positions from triggers.
        await client.query(`set session_replication_role = ${/^issue_/.test(table) ? 'origin' : 'replica'}`);
        await client.query(FILLS[table] ?? '', [projects, first, last]);
      }
    };
    await fill(1, KNOWN);
    await api.sql('analyze');
    paths = READS.map((path) => path.replace(':p', String(team.projectId)).replace(':i', '2'));
    // Each connection plans once.
    for (let round = 0; round < 3; round += 1) await Promise.all(paths.map((path) => ask(path)));
    await fill(KNOWN + 1, ROWS);
    await client.end();
  });
  afterAll(() => api.close());

  const ask = async (path: string): Promise<void> => {
    const { status, text } = await api.root.get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  };

  /** Rows read by sequential scans. An idle backend reports them after ten seconds. */
  const readInFull = async (): Promise<Map<string, number>> => {
    await sleep(11_000);
    const rows = await api.sql<{ name: string; read: string }>(
      'select relname as name, seq_tup_read as read from pg_stat_user_tables where relname = any($1)',
      [Object.keys(FILLS)],
    );
    return new Map(rows.map(({ name, read }) => [name, Number(read)]));
  };

  it('are still read by index', async () => {
    const before = await readInFull();
    for (const path of paths) await ask(path);
    const after = await readInFull();
    const read = [...after].filter(([name, rows]) => rows - (before.get(name) ?? 0) > ROWS / 2);
    expect(read.map(([name]) => name)).toEqual([]);
  });
});

/** Unique indexes of two columns, with a query for the one row that they identify. */
const NAMING = `select i.relname as index, format('explain (generic_plan, format json) select * from %s where %s', t.relname,
      string_agg(format('%I = $%s', a.attname, k.place), ' and ')) as question
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    cross join lateral unnest(x.indkey::int[]) with ordinality k(number, place)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
    where t.relnamespace = 'public'::regnamespace and x.indisunique and x.indnkeyatts = 2 and x.indpred is null and x.indexprs is null
    group by i.relname, t.relname`;

describe('rows of tables that were never analyzed', () => {
  it('are looked up by both columns of their unique index', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: utcUrl(database.url, PLANNER_COSTS) });
    await client.connect();
    try {
      const { rows } = await client.query<{ index: string; question: string }>(NAMING);
      expect(rows.map(({ index }) => index)).toContain('issues_project_iid');
      const filtering: string[] = [];
      for (const { index, question } of rows) {
        const plan = await client.query<Record<string, unknown>>(question);
        if (JSON.stringify(plan.rows).includes('"Filter"')) filtering.push(index);
      }
      expect(filtering).toEqual([]);
    } finally {
      await client.end();
      await database.drop();
    }
  });
});
