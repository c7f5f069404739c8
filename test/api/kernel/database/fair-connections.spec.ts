import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser } from '../../../support/builders/user.js';
import { until } from '../../../support/until.js';

/** More than the pools have connections. */
const MANY = 60;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent' });
});
afterAll(() => api.close());

/** What the alert `ForgeplaneConnectionsUsedUp` looks at. */
async function waitingFor(pool: string): Promise<number> {
  const text = await (await fetch(`${api.url}/-/metrics`)).text();
  return Number(new RegExp(`^db_pool_waiting\\{pool="${pool}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

describe('a caller with many requests that wait for the database', () => {
  it('does not keep the writes of others waiting', async () => {
    const [greedy, other] = [await createUser(api), await createUser(api)];
    const [held, free] = [await buildProject(greedy.client), await buildProject(other.client)];
    const holder = new pg.Client({ connectionString: api.databaseUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from projects where id = $1 for update', [held.id]);
      const blocked = Array.from({ length: MANY }, (_, index) =>
        greedy.client.put(`/projects/${held.id}`, { description: `change ${index}` }),
      );
      await until(async () => {
        const rows = await api.sql<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return (rows[0]?.count ?? 0) >= 8;
      });
      await until(async () => (await waitingFor('write')) > 10);
      const { status } = await other.client.post(`/projects/${free.id}/issues`, { title: 'At once' });
      const waiting = await holder.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
      );
      expect([status, waiting.rowCount]).toEqual([201, 1]);
      await holder.query('rollback');
      const statuses = new Set((await Promise.all(blocked)).map((answer) => answer.status));
      expect([...statuses].filter((one) => one !== 200 && one !== 503)).toEqual([]);
    } finally {
      await holder.end();
    }
  });

  it('does not keep the searches of others waiting', async () => {
    const reader = api.app.get(ReadDatabase);
    const ended: number[] = [];
    const read = (userId: number): Promise<void> =>
      requestContext.run({ userId, response: {}, dbCount: 0 } as RequestContext, async () => {
        await reader.long('select pg_sleep(0.1)', []);
        ended.push(userId);
      });
    const many = Array.from({ length: MANY }, () => read(1));
    expect(await waitingFor('read')).toBeGreaterThan(10);
    await read(2);
    expect(ended.length).toBeLessThan(MANY / 2);
    await Promise.all(many);
    expect(ended).toHaveLength(MANY + 1);
  });
});
