import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import type { KeysetOrder, Statement } from '#kernel/database/lists/list-query.js';
import { CI_STATUSES } from '#core/ci/jobs/job-status.js';
import { JobQueries } from '#core/ci/jobs/job.queries.js';
import { ListPipelinesParams } from '#core/ci/pipelines/pipelines.params.js';
import { PipelinesQueries } from '#core/ci/pipelines/pipelines.queries.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildProjectTeam, type ProjectTeam } from '../../../../support/builders/project-team.js';
import { readsDuring } from '../../../../support/watched-reads.js';

const PROJECTS = 2;
/** Number of jobs per project; a tenth as many pipelines. */
const JOBS = 20_000;

describe('query plans of CI lists', () => {
  let api: TestApi;
  let client: pg.Client;
  let team: ProjectTeam;

  beforeAll(async () => {
    api = await startApi();
    for (let count = 0; count < PROJECTS; count += 1) team = await buildProjectTeam(api);
    await api.sql(
      `insert into users (username, name, email) select 'u' || n, 'u' || n, 'u' || n || '@example.com' from generate_series(1, 500) n`,
    );
    await api.sql(
      `insert into ci_pipelines (project_id, iid, ref, sha, source, status, user_id, parent_id)
       select p.id, n, 'branch-' || n % 50, lpad(to_hex(n), 40, '0'), 'push', ($1::text[])[n % 11 + 1], n % 500 + 1, null
       from generate_series(1, $2::int) n, projects p order by n`,
      [CI_STATUSES, JOBS / 10],
    );
    await api.sql(
      `insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref)
       select p.project_id, p.id, 'build', 'job' || n, 'test', n, ($1::text[])[(p.iid + n) % 11 + 1], p.user_id, p.ref
       from ci_pipelines p, generate_series(1, 10) n order by p.id, n`,
      [CI_STATUSES],
    );
    await api.sql('analyze');
    client = new pg.Client({ connectionString: api.databaseUrl, options: PLANNER_OPTIONS });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await api.close();
  });

  const literal = (value: unknown): string => {
    if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
    if (typeof value === 'number') return String(value);
    return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
  };

  async function planOf({ text, values }: Statement): Promise<string> {
    await client.query(`prepare list as ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain execute list(${values.map(literal).join(', ')})`,
    );
    await client.query('deallocate list');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  const expectOrdered = (plan: string, index: RegExp): void => {
    expect(plan).not.toMatch(/Filter: .*status = \$/);
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Sort Key: (?!a\.id)|Hash Join|Seq Scan on ci_(jobs|pipelines)/);
  };

  it.each([
    [[], /Index Scan (Backward )?using ci_jobs_project on ci_jobs j/],
    [['failed'], /Index Scan (Backward )?using ci_jobs_project_status on ci_jobs j/],
    [['failed', 'manual'], /Index Scan (Backward )?using ci_jobs_project on ci_jobs j/],
  ] as const)('jobs with the scope %j are read in the order of an index', async (scope, index) => {
    const query = api.app.get(JobQueries).list(team.projectId, scope);
    const order = query.keysetOrder('id') as KeysetOrder;
    expectOrdered(await planOf(query.pageStatement(21, 0)), index);
    for (const sort of ['asc', 'desc'] as const)
      expectOrdered(await planOf(query.keysetStatement(order, sort, [team.projectId, 500], 21)), index);
  });

  it.each([
    [{}, /ci_pipelines_project_id on ci_pipelines p/],
    [{ ref: 'branch-7' }, /ci_pipelines_project_ref on ci_pipelines p/],
    [{ status: 'failed' }, /ci_pipelines_project_status on ci_pipelines p/],
    [{ scope: 'running' }, /ci_pipelines_project_status on ci_pipelines p/],
    [{ sha: 'a' }, /ci_pipelines_project_sha on ci_pipelines p/],
    [{ order_by: 'updated_at' }, /ci_pipelines_project_updated_at on ci_pipelines p/],
    [{ order_by: 'status' }, /ci_pipelines_project_status on ci_pipelines p/],
    [{ order_by: 'ref', sort: 'asc' }, /ci_pipelines_project_ref on ci_pipelines p/],
  ] as const)('pipelines with %j are read in the order of an index', async (params, index) => {
    const query = api.app
      .get(PipelinesQueries)
      .list(team.projectId, Object.assign(new ListPipelinesParams(), params));
    expectOrdered(await planOf(query.pageStatement(21, 0)), index);
  });

  it('take the same number of statements for 1 and for 100 rows', async () => {
    const statements = async (path: string): Promise<[number, number]> => {
      let rows = 0;
      const reads = await readsDuring(api, async () => {
        rows = (await team.reporter.get<unknown[]>(`/projects/${team.projectId}${path}`)).body.length;
      });
      return [rows, reads.length];
    };
    const [pipeline] = await api.sql<{ id: number }>(
      'select max(id) as id from ci_pipelines where project_id = $1',
      [team.projectId],
    );
    // The first page of a long list is counted, unless it is known to be too long.
    await statements('/jobs?per_page=1');
    expect(await statements('/jobs?per_page=1')).toEqual([1, 2]);
    expect(await statements('/jobs?per_page=100')).toEqual([100, 2]);
    expect(await statements('/jobs?per_page=100&pagination=keyset&order_by=id&sort=desc')).toEqual([100, 2]);
    expect(await statements('/jobs?per_page=1&scope[]=failed&scope[]=manual')).toEqual([1, 3]);
    expect(await statements('/jobs?per_page=100&scope[]=failed&scope[]=manual')).toEqual([100, 3]);
    expect(await statements('/pipelines?per_page=1')).toEqual([1, 3]);
    expect(await statements('/pipelines?per_page=100')).toEqual([100, 3]);
    expect(await statements(`/pipelines/${pipeline?.id ?? 0}/jobs?per_page=1`)).toEqual([1, 3]);
    expect(await statements(`/pipelines/${pipeline?.id ?? 0}/jobs?per_page=10`)).toEqual([10, 2]);
  });
});
