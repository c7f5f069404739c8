import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { TestApi } from '../../../../support/api.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { untilBlocking } from '../../../../support/lock-waits.js';
import { borrowApi } from '../../../../support/shared-api.js';

/** Without one, only those who control the database could make another. */
describe('the last active administrator', () => {
  let api: TestApi;
  let other: CreatedUser;

  beforeAll(async () => {
    api = await borrowApi();
    other = await createUser(api, { admin: true });
  });
  afterAll(() => api.close());

  const remaining = async (): Promise<number[]> => {
    const rows = await api.sql<{ id: number }>(
      `select id from users where admin and state = 'active' and not pending_delete order by id`,
    );
    return rows.map(({ id }) => id);
  };

  it('is not removed by one who acts as a blocked administrator', async () => {
    await api.root.post(`/users/${other.id}/block`);
    const acting = { Sudo: other.username };
    for (const [path, method] of [
      ['/users/1', 'delete'],
      ['/users/1?hard_delete=true', 'delete'],
      ['/users/1/block', 'post'],
    ] as const) {
      const answer =
        method === 'post' ? await api.root.post(path, {}, acting) : await api.root.delete(path, acting);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        403,
        { message: '403 Forbidden - An active administrator must remain' },
      ]);
    }
    expect(await remaining()).toEqual([1]);
    await api.root.post(`/users/${other.id}/unblock`);
  });

  it('is one of two who remove each other at the same moment', async () => {
    const holder = new pg.Client({ connectionString: api.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from users where admin for update');
    const removals = [api.root.delete(`/users/${other.id}`), other.client.delete('/users/1')];
    const query = async <Rows>(text: string): Promise<Rows> => (await holder.query(text)).rows as Rows;
    await untilBlocking(api, { query });
    await holder.query('commit');
    await holder.end();
    const statuses = (await Promise.all(removals)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 403]);
    expect(await remaining()).toHaveLength(1);
  });
});
