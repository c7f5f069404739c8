import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '#kernel/config/load-config.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { createApplication } from '../../../../src/application.js';
import { ROOT_TOKEN } from '../../../support/api.js';
import { ApiClient, type Answer } from '../../../support/client.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { startDatabaseProxy, type DatabaseProxy } from '../../../support/database-proxy.js';
import { withProbe } from '../../../support/probe/start-probed-api.js';

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body]).toEqual([503, { message: '503 Service Unavailable' }]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.headers.get('content-type')).toBe('application/json');
}

describe('while the database is unavailable', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let app: INestApplication;
  let root: ApiClient;
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-loss-'));

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startDatabaseProxy(database.url);
    const config = loadConfig({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATA_DIR: dataDir,
      DATABASE_URL: proxy.url,
      INITIAL_ROOT_PASSWORD: 'correct horse battery',
      INITIAL_ROOT_TOKEN: ROOT_TOKEN,
    });
    await createFirstData(config, proxy.url);
    app = await withProbe(() => createApplication(config, proxy.url));
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
    root = new ApiClient(`http://127.0.0.1:${port}`, ROOT_TOKEN);
  });
  afterAll(async () => {
    await app.close();
    await proxy.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('requests get 503 with Retry-After, and succeed again afterwards', async () => {
    expect((await root.get('/version')).status).toBe(200);
    await proxy.cut();
    for (const answer of await Promise.all([
      root.get('/version'),
      root.get('/probe/rows?amount=3'),
      root.post('/probe/write-sleep'),
    ]))
      expectUnavailable(answer);
    // By then the cached settings have expired.
    await sleep(1_500);
    for (const path of ['/-/health', '/-/liveness', '/-/metrics'])
      expect([path, (await root.get(path)).status]).toEqual([path, 200]);
    const ready = await root.get('/-/readiness');
    expect([ready.status, ready.body['message']]).toEqual([503, '503 Service Unavailable']);
    await proxy.mend();
    expect((await root.get('/version')).status).toBe(200);
    expect((await root.get('/probe/rows?amount=3')).status).toBe(200);
  });

  it('requests get 503 if their connection is lost', async () => {
    const reads = [root.get('/probe/read-sleep'), root.post('/probe/write-sleep')];
    await sleep(500);
    await proxy.cut();
    const answers = await Promise.all(reads);
    await proxy.mend();
    for (const answer of answers) expectUnavailable(answer);
    expect((await root.post('/probe/write-sleep')).status).toBe(201);
  });

  it.each(['allow_connections', 'rename'])('requests get 503 if it refuses connections: %s', async (how) => {
    const [name = ''] = /forgeplane_test_\w+/.exec(database.url) ?? [];
    const operator = new pg.Client({ connectionString: database.url.replace(name, 'postgres') });
    await operator.connect();
    const [begin, end] =
      how === 'rename'
        ? [`rename to ${name}_away`, `alter database ${name}_away rename to ${name}`]
        : ['allow_connections false', `alter database ${name} allow_connections true`];
    try {
      await proxy.cut();
      await operator.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [name],
      );
      await operator.query(`alter database ${name} ${begin}`);
      await proxy.mend();
      const answers = [await root.get('/probe/rows?amount=3'), await root.post('/probe/write-sleep')];
      await operator.query(end);
      for (const answer of answers) expectUnavailable(answer);
    } finally {
      await operator.end();
    }
    expect((await root.get('/probe/rows?amount=3')).status).toBe(200);
  });
});
