import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApi, type TestApi } from '../../support/api.js';
import { startDatabaseProxy, type DatabaseProxy } from '../../support/database-proxy.js';
import { ReplicatedPostgres } from '../../support/replicated-postgres.js';
import { until } from '../../support/until.js';

let postgres: ReplicatedPostgres;
let proxy: DatabaseProxy;
let api: TestApi;
beforeAll(async () => {
  postgres = await ReplicatedPostgres.start();
  proxy = await startDatabaseProxy(postgres.primary.url);
  api = await startApi({ DATABASE_URL: proxy.url });
});
afterAll(async () => {
  await api.close();
  await proxy.close();
  await postgres.stop();
});

it('after a failover nothing is read from the former primary, and writes work once the address leads to the new one', async () => {
  let count = 0;
  const write = async (): Promise<number> =>
    (await api.root.post('/projects', { name: `Project ${(count += 1)}` })).status;
  expect(await write()).toBe(201);
  // The name still leads to the former primary, which has come back as a standby.
  proxy.leadTo(postgres.replica.url);
  await proxy.cut();
  await proxy.mend();
  const standby = [await write(), (await api.root.get('/projects')).status];
  // Requests go on all the time, so that no connection is closed for want of use.
  const end = Date.now() + 3_000;
  while (Date.now() < end) {
    standby.push(await write(), (await api.root.get('/projects')).status);
    await sleep(50);
  }
  expect(new Set(standby)).toEqual(new Set([503]));
  proxy.leadTo(postgres.primary.url);
  await until(async () => (await write()) === 201, 10_000);
  expect((await api.root.get('/projects')).status).toBe(200);
});
