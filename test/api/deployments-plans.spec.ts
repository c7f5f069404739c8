import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_OPTIONS } from '#kernel/database/read-database.js';
import { ListDeployments } from '#features/deployments/deployments.params.js';
import { DeploymentQueries } from '#features/deployments/deployments.queries.js';
import { startApi, type TestApi } from '../support/api.js';
import { buildDeployment, fillDeployments } from '../support/builders/deployment.js';
import { buildProjectTeam } from '../support/builders/project-team.js';

const ORDERS = ['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'] as const;
const TIME = new Date('2026-01-01T00:10:00Z');

/** Every way to ask for the list: filters, ranges and orders. */
function requests(): Partial<ListDeployments>[] {
  const filters: Partial<ListDeployments>[] = [
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
  const all: Partial<ListDeployments>[] = [...orders, ...updated, ...finished];
  return all.flatMap((request) => [request, { ...request, sort: 'desc' as const }]);
}

describe('plans of the list of deployments', () => {
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
    await api.sql('analyze');
    client = new pg.Client({ connectionString: api.databaseUrl, options: PLANNER_OPTIONS });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await api.close();
  });

  it.each(requests())('%j reads its rows off one index', async (request) => {
    const params = Object.assign(new ListDeployments(), request);
    const { text, values } = api.app.get(DeploymentQueries).list(projectId, params).pageStatement(21, 0);
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
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Sort|Hash|Bitmap|Gather|deployments_pkey|Seq Scan on deployments/);
    expect(plan).toMatch(
      /Index Scan (Backward )?using deployments_(project|environment)_\w+ on deployments d/,
    );
    expect(plan).not.toMatch(/on deployments d[^\n]*\n( *Index Cond[^\n]*\n)? *Filter/);
  });
});
