import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { KeysetOrder, Statement } from '#kernel/database/lists/list-query.js';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { ERROR_ORDERS, type ErrorOrder } from '#features/error-tracking/errors/errors.params.js';
import { ErrorsQueries } from '#features/error-tracking/errors/errors.queries.js';
import { takeWaiting } from '#features/error-tracking/grouping/waiting-events.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';

const DIRECTIONS = ['asc', 'desc'] as const;

describe('plans of the lists of errors and their events', () => {
  let api: TestApi;
  let client: pg.Client;
  let projectId: number;
  let errorId: number;
  const queries = (): ErrorsQueries => api.app.get(ErrorsQueries, { strict: false });

  beforeAll(async () => {
    api = await startApi();
    for (let count = 0; count < 3; count += 1) ({ projectId } = await buildProjectTeam(api));
    await api.sql(`insert into error_tracking_errors (project_id, group_key, name, level, status, events_count, first_seen_at, last_seen_at)
      select p.id, decode(md5(n::text), 'hex'), 'E' || n, 'error', (array['unresolved', 'resolved', 'ignored'])[n % 3 + 1], n % 50,
        now() - n * interval '1 hour', now() - n * interval '1 minute'
      from projects p, generate_series(1, 3000) n order by n`);
    await api.sql(`insert into error_tracking_events (project_id, error_id, event_id, occurred_at, payload)
      select e.project_id, case when n > 2 then e.id end, gen_random_uuid(), now(), '{}'
      from (select * from error_tracking_errors where events_count = 7) e, generate_series(1, 100) n order by n`);
    await api.sql(`vacuum analyze`);
    const [error] = await api.sql<{ id: number }>(
      'select id from error_tracking_errors where project_id = $1 and events_count = 7',
      [projectId],
    );
    errorId = error?.id ?? 0;
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

  const expectIndex = (plan: string, index: RegExp): void => {
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Sort|Hash|Bitmap|Seq Scan/);
  };

  it('walk the index of the order', async () => {
    for (const order of Object.keys(ERROR_ORDERS) as ErrorOrder[]) {
      for (const sort of DIRECTIONS) {
        const list = queries().list(projectId, { order_by: order, sort });
        const index = {
          last_seen_at: 'last_seen',
          first_seen_at: 'first_seen',
          events_count: 'frequency',
          id: 'id',
        };
        const name = new RegExp(`using error_tracking_errors_${index[ERROR_ORDERS[order]]} on`);
        expectIndex(await planOf(list.pageStatement(21, 0)), name);
      }
    }
  });

  it('walk the index of their owner by keyset, and count in an index', async () => {
    const lists = [
      [
        queries().list(projectId, { order_by: 'id' }),
        'error_tracking_errors_id',
        [projectId, 'unresolved', 5],
      ],
      [queries().events(projectId, errorId, 'desc'), 'error_tracking_events_error', [errorId, 5]],
    ] as const;
    for (const [list, index, after] of lists) {
      for (const sort of DIRECTIONS) {
        const order = list.keysetOrder('id') as KeysetOrder;
        for (const position of [null, after])
          expectIndex(
            await planOf(list.keysetStatement(order, sort, position, 21)),
            new RegExp(`using ${index} on`),
          );
      }
      expect(await planOf(list.countStatement(11_000))).not.toMatch(/Seq Scan/);
    }
    for (const sort of DIRECTIONS)
      expectIndex(
        await planOf(queries().events(projectId, errorId, sort).pageStatement(21, 0)),
        /using error_tracking_events_error on/,
      );
  });

  it('take waiting events in the order in which they came', async () => {
    const statements: Statement[] = [];
    const query = (statement: Statement): Promise<{ rows: unknown[] }> => {
      statements.push(statement);
      return Promise.resolve({ rows: [] });
    };
    const queryRunner = { isReleased: false, connect: () => Promise.resolve({ query }) };
    await takeWaiting({ queryRunner } as never, 500);
    for (const statement of statements) {
      const plan = await planOf(statement);
      expect(plan).toMatch(/using error_tracking_events_waiting on/);
      expect(plan).not.toMatch(/Seq Scan on error_tracking_events/);
    }
    expect(statements).toHaveLength(1);
  });
});
