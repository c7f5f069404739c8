import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startDatabaseProxy } from '../../support/database-proxy.js';
import { DaySample } from '../../support/day-sample.js';
import { Installation } from '../../support/installation.js';
import { launch, untilAnnounced, type Launched } from '../../support/launch.js';
import { freePort, startProduct } from '../../support/processes.js';
import { hasRedisServer, RedisServer } from '../../support/redis-server.js';
import { startS3, type TestS3 } from '../../support/s3-server.js';
import { until } from '../../support/until.js';

type Env = Record<string, string>;

/** A start for each case. */
const sample = DaySample.ofEnvironment();

describe(`a start with invalid settings (${sample.toString()})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-start-problems-'));
  const file = join(folder, 'file');
  const running: Launched[] = [];
  let database: TestDatabase;
  let s3: TestS3;
  let taken: Server;
  let port = 0;
  let nobody = 0;
  let site = 0;
  let pages: HttpServer;
  beforeAll(async () => {
    writeFileSync(file, '');
    database = await createTestDatabase();
    s3 = await startS3();
    [port, nobody] = [await freePort(), await freePort()];
    pages = createHttpServer((request, response) => {
      request.resume().on('end', () => response.end('<html>Welcome</html>'));
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    site = (pages.address() as AddressInfo).port;
    taken = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise((resolve) => taken.listen(port, '127.0.0.1', () => resolve(undefined)));
  });
  afterAll(async () => {
    for (const { signal, ended } of running) {
      signal('SIGKILL');
      await ended;
    }
    taken.close();
    pages.close();
    await s3.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const begin = (env: Env, script = 'dist/app/main.js'): Launched => {
    const common = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') };
    const begun = launch(script, {
      ...common,
      DATABASE_URL: database.url,
      SECRETS_KEY: 'k'.repeat(40),
      START_TIMEOUT_SECONDS: '1',
      ...env,
    });
    running.push(begun);
    return begun;
  };
  /** The only output line of a refused start, and the lines of the log. */
  const refused = async (env: Env, script?: string): Promise<{ line: string; log: string }> => {
    const begun = begin(env, script);
    expect(await begun.ended).toBe(1);
    expect(begun.problems()).toMatch(/^[^\n]+\n$/);
    expect(begun.output()).not.toMatch(/\n\s+at |"stack"/);
    return { line: begun.problems().trim(), log: begun.output() };
  };
  const urlOf = (change: string): string => database.url.replace(/(\/)[^/?]+(\?|$)/, `$1${change}$2`);
  const s3At = (host: string): string =>
    `s3://key:hidden-secret@bucket?endpoint=http://${host}&forcePathStyle=true`;

  const cases: readonly (readonly [string, () => Env, RegExp])[] = [
    [
      'PostgreSQL that is down',
      () => ({ DATABASE_URL: `postgres://a:hidden-secret@127.0.0.1:${nobody}/a` }),
      /^DATABASE_URL: PostgreSQL does not respond \(connect ECONNREFUSED .*after 1 s: start it/,
    ],
    [
      'an unknown database',
      () => ({ DATABASE_URL: urlOf('not_there') }),
      /^DATABASE_URL does not point to a usable database .*"not_there" does not exist.*create that database/,
    ],
    [
      'an address of PostgreSQL that is none',
      () => ({ DATABASE_URL: 'postgres://a:hidden-secret@h:port/x' }),
      /^DATABASE_URL .*: correct it/,
    ],
    [
      'a port in use',
      () => ({ PORT: String(port) }),
      /^PORT \d+ is already in use \(.*EADDRINUSE.*: stop the process that listens there/,
    ],
    [
      'an address of others',
      () => ({ HOST: '192.0.2.7' }),
      /^HOST 192\.0\.2\.7 is not an address of this machine/,
    ],
    [
      'DATA_DIR below a file',
      () => ({ DATA_DIR: join(file, 'data') }),
      /^DATA_DIR is not writable \(ENOTDIR.*choose another folder/,
    ],
    [
      'storages below a file',
      () => ({ REPOSITORY_STORAGES: `default=${join(file, 'git')}` }),
      /^REPOSITORY_STORAGES has folders that are not writable \(default: .* is not a folder/,
    ],
    [
      'objects below a file',
      () => ({ OBJECT_STORE_URL: `file://${file}/objects` }),
      /^OBJECT_STORE_URL is not writable/,
    ],
    [
      'REDIS_URL without a scheme',
      () => ({ REDIS_URL: 'localhost:6379' }),
      /^The configuration is not valid: REDIS_URL must be a redis:\/\/ URL/,
    ],
    [
      'REDIS_URL with a database that is no number',
      () => ({ REDIS_URL: 'redis://localhost/abc' }),
      /REDIS_URL must be a redis:\/\/ URL/,
    ],
    [
      'REDIS_URL of Sentinels without a master',
      () => ({ REDIS_URL: `redis+sentinel://:hidden-secret@127.0.0.1:${nobody}` }),
      /^The configuration is not valid: REDIS_URL must name the master after the Sentinels/,
    ],
    [
      'Sentinels that are down',
      () => ({ REDIS_URL: `redis+sentinel://:hidden-secret@127.0.0.1:${nobody}/forge` }),
      /^REDIS_URL: Redis does not respond \(failed to connect to sentinel 127\.0\.0\.1:/,
    ],
    [
      'REDIS_URL of another service',
      () => ({ REDIS_URL: `redis://:hidden-secret@127.0.0.1:${port}` }),
      /^REDIS_URL does not point to a usable Redis \(Protocol error/,
    ],
    [
      'Redis that is down',
      () => ({ REDIS_URL: `redis://127.0.0.1:${nobody}` }),
      /^REDIS_URL: Redis does not respond \(connect ECONNREFUSED/,
    ],
    [
      'S3 out of reach',
      () => ({ OBJECT_STORE_URL: s3At(`127.0.0.1:${nobody}`) }),
      /^OBJECT_STORE_URL: object store does not respond \(.*ECONNREFUSED/,
    ],
    [
      'a bucket that is not there',
      () => ({ OBJECT_STORE_URL: s3.url('other') }),
      /^OBJECT_STORE_URL does not point to a writable store \(NoSuchBucket/,
    ],
    [
      'an endpoint of S3 without a scheme',
      () => ({ OBJECT_STORE_URL: s3At('').replace('http://', `127.0.0.1:${nobody}`) }),
      /^The configuration is not valid: OBJECT_STORE_URL must name its endpoint with http:\/\/ or https:\/\//,
    ],
    [
      'an endpoint of S3 that does not speak TLS',
      () => ({ OBJECT_STORE_URL: s3At(`127.0.0.1:${port}`).replace('http:', 'https:') }),
      /^OBJECT_STORE_URL does not point to a writable store \(.*EPROTO/,
    ],
    [
      'an endpoint that is no S3',
      () => ({ OBJECT_STORE_URL: s3At(`127.0.0.1:${site}`) }),
      /^OBJECT_STORE_URL does not point to a writable store \(WrongAnswer/,
    ],
  ];
  it.each(sample.some(cases, 4))('reports %s with a remedy, in one line', async (_, env, expected) => {
    const { line, log } = await refused(env());
    expect(line).toMatch(expected);
    expect(log).not.toContain('hidden-secret');
  });

  it('refuses a schema that no longer supports its release, and one that it may not migrate', async () => {
    const installation = await Installation.create();
    const empty = await createEmptyDatabase();
    try {
      const { url } = await installation.start('api', { DATA_DIR: join(folder, 'api') });
      await installation.sql(`insert into releases (version, oldest_beside) values ('9.1.0', '8.0.0')`);
      const expected =
        /The schema is that of release 9\.1\.0, which runs beside 8\.0\.0 and newer: this is 1\./;
      await until(async () => (await fetch(`${url}/-/readiness`)).status === 503);
      expect(await (await fetch(`${url}/-/readiness?all=1`)).text()).toMatch(expected);
      for (const MIGRATE_ON_START of ['true', 'false'])
        expect((await refused({ DATABASE_URL: installation.databaseUrl, MIGRATE_ON_START })).line).toMatch(
          expected,
        );
      const older = await refused({ DATABASE_URL: empty.url, MIGRATE_ON_START: 'false' });
      expect(older.line).toMatch(
        /^The schema is older than this release .*FirstSchema1760000000001.* are missing\. Run "npm run cli -- migrate"/,
      );
    } finally {
      await installation.close();
      await empty.drop();
    }
  });

  it('is not tried again by npm start', async () => {
    const { line } = await refused({ PORT: String(port) }, 'scripts/start.mjs');
    expect(line).toMatch(/^PORT \d+ is already in use/);
  });

  it('changes nothing if it is refused', async () => {
    const dataDir = join(folder, 'untouched');
    const begun = begin({ DATABASE_URL: '', DATA_DIR: dataDir, PORT: String(port) });
    expect(await begun.ended).toBe(1);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('warns of variables with nearly the name of a setting', async () => {
    const { log } = await refused({ PORT: String(port), REDISURL: 'redis://x', S3_BUCKETS: 'forge' });
    expect(log).toContain(
      'The environment sets REDISURL, which is not a known variable: REDIS_URL was probably meant',
    );
    expect(log).toContain('S3_BUCKETS, which is not a known variable: OBJECT_STORE_URL was probably meant');
    expect(log.match(/probably meant/g)).toHaveLength(2);
  });

  it('waits for PostgreSQL if it starts later, and reports that', async () => {
    const proxy = await startDatabaseProxy(database.url);
    await proxy.cut();
    const begun = begin({ DATABASE_URL: proxy.url, START_TIMEOUT_SECONDS: '60' });
    await until(() => begun.output().includes('Waiting for PostgreSQL (DATABASE_URL) for '), 30_000);
    await proxy.mend();
    await untilAnnounced(begun);
    begun.signal('SIGTERM');
    expect(await begun.ended).toBe(0);
    await proxy.close();
  });

  (hasRedisServer ? it : it.skip)('waits for Redis if it starts later, and reports that', async () => {
    const redis = await RedisServer.start();
    await redis.kill();
    const begun = begin({ REDIS_URL: redis.url, START_TIMEOUT_SECONDS: '60' });
    await until(() => begun.output().includes('Waiting for Redis (REDIS_URL) for '), 30_000);
    await redis.start();
    await untilAnnounced(begun);
    begun.signal('SIGTERM');
    expect(await begun.ended).toBe(0);
    await redis.kill();
  });

  it('stops immediately on a signal while it waits', async () => {
    const begun = begin({ REDIS_URL: `redis://127.0.0.1:${nobody}`, START_TIMEOUT_SECONDS: '60' });
    await until(() => begun.output().includes('Waiting for Redis'), 30_000);
    begun.signal('SIGTERM');
    expect(await begun.ended).toBe(0);
  });

  it('fails without S3, while a later loss is only reported', async () => {
    const lost = await startS3();
    const product = await startProduct({
      env: { DATABASE_URL: database.url, SECRETS_KEY: 'k'.repeat(40), OBJECT_STORE_URL: lost.url('forge') },
    });
    const readiness = async (): Promise<{ checks: Record<string, { status: string }> }> =>
      (await (await fetch(`${product.url}/-/readiness?all=1`)).json()) as never;
    try {
      await until(async () => (await readiness()).checks['object_storage']?.status === 'up', 30_000);
      await lost.close();
      await until(async () => (await readiness()).checks['object_storage']?.status === 'down', 30_000);
      expect((await fetch(`${product.url}/-/readiness`)).status).toBe(200);
      expect((await fetch(`${product.url}/-/readiness?all=1`)).status).toBe(503);
      expect(await product.stop()).toBe(0);
    } finally {
      await product.dispose();
    }
  });
});
