import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { requestContext } from '#kernel/log/request-context.js';
import { createTestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

const MEBIBYTE = 1024 * 1024;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let reads: ReadDatabase;
let owner: pg.Client;
let watcher: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  reads = new ReadDatabase(DatabaseAddress.direct(database.url));
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  watcher = new pg.Client({ connectionString: database.url });
  await watcher.connect();
});
afterAll(async () => {
  await reads.onApplicationShutdown();
  await owner.end();
  await watcher.end();
  await database.drop();
});

/** Runs work as a request of a user would, until its response was sent. */
async function asRequest<T>(userId: number, work: () => Promise<T>): Promise<T> {
  const response = new EventEmitter() as ServerResponse;
  const context = {
    correlationId: '',
    remoteIp: '',
    method: 'GET',
    path: '',
    route: '/',
    dbCount: 0,
    dbDurationMs: 0,
  };
  const result = await requestContext.run({ ...context, userId, response }, work);
  response.emit('prefinish');
  return result;
}

const long = (mebibytes: number): Promise<{ text: string }[]> =>
  reads.short(`select repeat('x', ${MEBIBYTE}) as text from generate_series(1, $1)`, [mebibytes]);

it('heavy reads move to another connection, without affecting those behind them', async () => {
  const heavy = [1, 1, 2, 2, 3].map((user) =>
    asRequest(user, async () => (await long(4)).map(({ text }) => text.length)),
  );
  const light = Array.from({ length: 300 }, (_, n) =>
    asRequest(9, () => reads.short<{ n: number }>('select $1::int as n', [n])),
  );
  expect(await Promise.all(light)).toEqual(Array.from({ length: 300 }, (_, n) => [{ n }]));
  for (const lengths of await Promise.all(heavy)) expect(lengths).toEqual(Array(4).fill(MEBIBYTE));
  // Users with reads that are considered heavy have other reads too.
  expect(await asRequest(1, () => reads.short('select 1 as n', []))).toEqual([{ n: 1 }]);
  expect(await asRequest(1, () => reads.short(`select repeat('y', ${MEBIBYTE}) as y`, []))).toHaveLength(1);
  await expect(asRequest(1, () => long(17))).rejects.toMatchObject({ status: 422 });
  // Jobs read what they need.
  expect(await long(17)).toHaveLength(17);
});

it('only the waiting read fails when the connection is lost on which it waits for a lock', async () => {
  await owner.query('create table held (n int)');
  await owner.query('begin');
  await owner.query('lock table held in access exclusive mode');
  const lost = reads.short('select n from held', []);
  lost.catch(() => undefined);
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%from held%'
    and datname = current_database() and query_start < now() - interval '400 ms'`;
  await until(async () => (await watcher.query(waiting)).rowCount === 1);
  await watcher.query(`select pg_terminate_backend(pid) from (${waiting}) w`);
  await expect(lost).rejects.toThrow('terminat');
  await owner.query('rollback');
  expect(await reads.short('select n from held', [])).toEqual([]);
});
