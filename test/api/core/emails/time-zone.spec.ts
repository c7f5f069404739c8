import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { QueuePool } from '#kernel/queue/outbox/queue-pool.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser } from '../../../support/builders/user.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const DAY_MS = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

// At any time of day, the date in one of these zones differs from that in UTC.
describe.each(['Etc/GMT+12', 'Etc/GMT-14'])('on a database whose time zone is %s', (zone) => {
  let database: TestDatabase;
  let api: TestApi;

  beforeAll(async () => {
    database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const name = (await client.query<{ name: string }>('select current_database() as name')).rows[0]?.name;
    await client.query(`alter database ${name ?? ''} set timezone to '${zone}'`);
    await client.end();
    api = await startApi({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  it('uses UTC on every connection', async () => {
    const text = `select current_setting('TimeZone') as zone`;
    const reader = api.app.get(ReadDatabase);
    const zones = [
      ...(await reader.short(text, [])),
      ...(await reader.long(text, [])),
      ...(await api.app.get(Transactions).run((tx) => tx.query<object[]>(text))),
      ...(await api.app.get(QueuePool).query('zone', text, [])),
    ];
    expect(zones).toEqual(Array.from({ length: 4 }, () => ({ zone: 'UTC' })));
  });

  it.each([
    [0, 404],
    [1, 200],
  ])('ends memberships with the day in UTC: %s days from now', async (offset, status) => {
    const user = await createUser(api);
    const project = await buildProject(api.root);
    const body = { user_id: user.id, access_level: 30, expires_at: day(1) };
    expect((await api.root.post(`/projects/${project.id}/members`, body)).status).toBe(201);
    await api.sql('update members set expires_at = $2 where user_id = $1', [user.id, day(offset)]);
    expect((await user.client.get(`/projects/${project.id}`)).status).toBe(status);
  });

  it.each([
    [0, 401],
    [1, 200],
  ])('ends tokens with the day in UTC: %s days from now', async (offset, status) => {
    const user = await createUser(api);
    await api.sql('update personal_access_tokens set expires_at = $2 where user_id = $1', [
      user.id,
      day(offset),
    ]);
    expect((await user.client.get('/user')).status).toBe(status);
  });

  it('finds issues by their due date in UTC', async () => {
    const project = await buildProject(api.root);
    const path = `/projects/${project.id}/issues`;
    for (const offset of [-1, 0, 1])
      await api.root.post(path, { title: `due ${offset}`, due_date: day(offset) });
    const due = async (word: string): Promise<string[]> =>
      (await api.root.get<{ title: string }[]>(`${path}?due_date=${word}&sort=asc`)).body.map(
        ({ title }) => title,
      );
    expect(await due('overdue')).toEqual(['due -1']);
    expect(await due('today')).toEqual(['due 0']);
    expect(await due('tomorrow')).toEqual(['due 1']);
    const [issue] = (await api.root.get<{ created_at: string }[]>(path)).body;
    expect(Math.abs(Date.parse(issue?.created_at ?? '') - Date.now())).toBeLessThan(600_000);
  });
});
