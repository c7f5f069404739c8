import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { KeysetOrder, Statement } from '#kernel/database/lists/list-query.js';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { ListAlertsParams } from '#features/alerts/alerts/alerts.params.js';
import { AlertsQueries } from '#features/alerts/alerts/alerts.queries.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';

const ORDERS: Partial<ListAlertsParams>[] = [
  {},
  { sort: 'asc' },
  { order_by: 'severity' },
  { order_by: 'severity', sort: 'asc' },
  { order_by: 'created_at' },
  { order_by: 'iid', sort: 'asc' },
];
const FILTERS: Partial<ListAlertsParams>[] = [{ status: 'triggered' }, { severity: 'low' }];
const BY_TIME: Partial<ListAlertsParams>[] = [{ environment: 'e1' }, { environment: 'e1', sort: 'asc' }];

/** All queries of the list that an index answers in order. */
const requests = [
  ...ORDERS,
  ...FILTERS.flatMap((filter) =>
    ORDERS.filter(({ order_by: order }) => order !== 'severity').map((order) => ({ ...filter, ...order })),
  ),
  ...BY_TIME,
];

describe('plans of the list of alerts', () => {
  let api: TestApi;
  let client: pg.Client;
  let projectId: number;

  beforeAll(async () => {
    api = await startApi();
    for (let count = 0; count < 3; count += 1) {
      ({ projectId } = await buildProjectTeam(api));
      await api.sql(
        `insert into environments (project_id, name, slug, tier) select $1, 'e' || n, 'e' || n, 'other' from generate_series(1, 20) n`,
        [projectId],
      );
      await api.sql(
        `insert into alerts (project_id, iid, title, severity, status, started_at, ended_at, fingerprint, environment_id, payload)
         select $1, n, 'Alert ' || n, n % 6, n % 4, now() - (n * 7 % 2000) * interval '1 minute', case n % 4 when 2 then now() end,
           decode(md5(n::text), 'hex'), e.id, '{}'
         from generate_series(1, 2000) n left join environments e on e.project_id = $1 and e.name = 'e' || n % 25 order by n`,
        [projectId],
      );
    }
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
      typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value)),
    );
    await client.query(`prepare list as ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain execute list(${literals.join(', ')})`,
    );
    await client.query('deallocate list');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }
  const listOf = (request: Partial<ListAlertsParams>) =>
    api.app.get(AlertsQueries).list(projectId, Object.assign(new ListAlertsParams(), request));

  /** Sub-plans below contain the users of the rows on the page. */
  function expectOrderedIndex(whole: string): void {
    const [plan = ''] = whole.split(/\n *SubPlan/);
    expect(plan).not.toMatch(/Sort|Hash|Bitmap|Gather|Seq Scan on alerts/);
    expect(plan).toMatch(/Index Scan (Backward )?using alerts_(project|environment)\w* on alerts/);
    expect(plan).not.toMatch(/on alerts a? ?[^\n]*\n( *Index Cond[^\n]*\n)? *Filter/);
  }

  it.each(requests)('%j reads its alerts off one index', async (request) => {
    expectOrderedIndex(await planOf(listOf(request).pageStatement(21, 0)));
  });

  it.each(['asc', 'desc'] as const)('a keyset page (%s) reads its alerts off one index', async (sort) => {
    for (const filter of [{}, ...FILTERS]) {
      const query = listOf(filter);
      const order = query.keysetOrder('id') as KeysetOrder;
      expectOrderedIndex(await planOf(query.keysetStatement(order, sort, [1_000], 21)));
    }
  });

  it.each(requests)('%j on a deep page joins only the rows that it shows', async (request) => {
    const plan = await planOf(listOf(request).pageStatement(21, 1_000));
    expect(plan).toMatch(/InitPlan[\s\S]*Limit[\s\S]*Index (Only )?Scan/);
    expect(plan).not.toMatch(/Seq Scan on alerts/);
  });
});
