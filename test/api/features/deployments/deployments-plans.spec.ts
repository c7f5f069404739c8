import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Tier } from '#kernel/access/roles.js';
import type { KeysetOrder, Statement } from '#kernel/database/lists/list-query.js';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { ListEnvironmentsParams } from '#core/environments/environments.params.js';
import { EnvironmentsQueries } from '#core/environments/environments.queries.js';
import { ListDeploymentsParams } from '#features/deployments/deployments.params.js';
import { DeploymentsQueries } from '#features/deployments/deployments.queries.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildDeployment, fillDeployments } from '../../../support/builders/deployment.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';

const ORDERS = ['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'] as const;
const TIME = new Date('2026-01-01T00:10:00Z');

/** Every query of the list: filters, ranges and orders. */
function requests(): Partial<ListDeploymentsParams>[] {
  const filters: Partial<ListDeploymentsParams>[] = [
    {},
    { status: 'success' },
    { environment: 'production' },
    { environment: 'production', status: 'success' },
  ];
  const orders = filters.flatMap((filter) => ORDERS.map((order) => ({ ...filter, order_by: order })));
  const updated = filters.flatMap((filter) => [
    { ...filter, updated_after: TIME },
    { ...filter, updated_before: TIME },
    { ...filter, updated_after: TIME, updated_before: TIME },
  ]);
  const finished = filters
    .filter(({ status }) => status === 'success')
    .map((filter) => ({
      ...filter,
      order_by: 'finished_at' as const,
      finished_after: TIME,
      finished_before: TIME,
    }));
  const all: Partial<ListDeploymentsParams>[] = [...orders, ...updated, ...finished];
  return all.flatMap((request) => [request, { ...request, sort: 'desc' as const }]);
}

describe('plans of the lists of deployments and environments', () => {
  let api: TestApi;
  let client: pg.Client;
  let projectId: number;

  beforeAll(async () => {
    api = await startApi();
    for (let count = 0; count < 3; count += 1) {
      const team = await buildProjectTeam(api);
      ({ projectId } = team);
      const { environment } = await buildDeployment(team.developer, projectId);
      await fillDeployments(api, projectId, environment.id, 2_000);
    }
    await api.sql(
      `insert into environments (project_id, name, slug, tier, state)
       select p.id, 'e' || p.id || '/' || n, 'e' || n, 'other', (array['available', 'stopped'])[n % 2 + 1]
       from projects p, generate_series(1, 1000) n order by n`,
    );
    await api.sql('analyze');
    client = new pg.Client({ connectionString: api.databaseUrl, options: PLANNER_OPTIONS });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await api.close();
  });

  async function planOf({ text, values }: Statement): Promise<string> {
    const literals = values.map((value) =>
      typeof value === 'number'
        ? String(value)
        : pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
    );
    await client.query(`prepare list as ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain execute list(${literals.join(', ')})`,
    );
    await client.query('deallocate list');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  /** Sub-plans cover the extra rows of job deployments, which are found by id. */
  function expectOrderedIndex(whole: string): void {
    const [plan = ''] = whole.split(/\n *SubPlan/);
    expect(plan).not.toMatch(/Sort|Hash|Bitmap|Gather|Seq Scan on deployments/);
    expect(plan).toMatch(/Index Scan (Backward )?using deployments_(project|environment)_\w+ on deployments/);
    expect(plan).not.toMatch(/on deployments( d)? [^\n]*\n( *Index Cond[^\n]*\n)? *Filter/);
  }

  it.each(requests())('%j reads its deployments off one index', async (request) => {
    const params = Object.assign(new ListDeploymentsParams(), request);
    const query = api.app.get(DeploymentsQueries).list(projectId, params, Tier.Ultimate);
    expectOrderedIndex(await planOf(query.pageStatement(21, 0)));
  });

  it('a deep page joins only the rows that it shows, not those that it skips', async () => {
    const query = api.app.get(DeploymentsQueries).list(projectId, new ListDeploymentsParams(), Tier.Ultimate);
    const plan = await planOf(query.pageStatement(21, 1_000));
    expect(plan).toMatch(/Index Only Scan using deployments_project_\w+ on deployments d_1/);
  });

  it.each([
    ['order_by=iid&page=501', 'true', 'iid', 1_000],
    ['order_by=iid&sort=desc&page=501', 'true', 'iid desc', 1_000],
    [
      'order_by=updated_at&sort=desc&status=success&page=151',
      `status = 'success'`,
      'updated_at desc, iid desc',
      300,
    ],
  ])('%s shows the two rows at that position', async (query, filter, order, skipped) => {
    const { body } = await api.root.get<{ iid: number }[]>(
      `/projects/${projectId}/deployments?per_page=2&${query}`,
    );
    const expected = await api.sql<{ iid: number }>(
      `select iid from deployments where project_id = $1 and ${filter} order by ${order} limit 2 offset ${skipped}`,
      [projectId],
    );
    expect(expected).toHaveLength(2);
    expect(body.map(({ iid }) => iid)).toEqual(expected.map(({ iid }) => iid));
  });

  it.each(['asc', 'desc'] as const)(
    'a keyset page (%s) reads its deployments off one index',
    async (sort) => {
      const query = api.app
        .get(DeploymentsQueries)
        .list(projectId, new ListDeploymentsParams(), Tier.Ultimate);
      const order = query.keysetOrder('id') as KeysetOrder;
      expectOrderedIndex(await planOf(query.keysetStatement(order, sort, [1_000], 21)));
    },
  );

  it.each([{}, { states: 'stopped' as const }])(
    '%j reads its environments off one index',
    async (request) => {
      const query = api.app
        .get(EnvironmentsQueries)
        .list(projectId, Object.assign(new ListEnvironmentsParams(), request));
      const order = query.keysetOrder('id') as KeysetOrder;
      for (const statement of [
        query.pageStatement(21, 0),
        query.keysetStatement(order, 'asc', [projectId, 1], 21),
        query.keysetStatement(order, 'desc', [projectId, 1], 21),
      ]) {
        const plan = await planOf(statement);
        expect(plan).toMatch(
          /Index Scan (Backward )?using environments_project_(id|state) on environments e/,
        );
        // Each environment's project sorts its forks, of which there are few.
        expect(plan.split('SubPlan')[0]).not.toMatch(/^( *->)? *(Incremental )?Sort/m);
      }
    },
  );
});
