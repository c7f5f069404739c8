import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';
import { WatchedClient, watchedPool } from '#kernel/database/sessions/watched-client.js';
import { isTransient } from '#kernel/database/transient.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { startDatabaseProxy, type DatabaseProxy } from '../../../support/database-proxy.js';
import { createEmptyDatabase, type TestDatabase } from '../../../support/database.js';

/** The only files that may make clients and pools of pg itself; the last one asks a server of its own over a socket of the file system. */
const OWN = [
  'src/kernel/database/sessions/watched-client.ts',
  'src/kernel/libraries/pg-inside.ts',
  'src/kernel/database/embedded/own-database.ts',
];

describe('a client of a server that falls silent', () => {
  /** Takes longest, so it begins first. */
  let connecting: Promise<unknown>;
  const mute = createServer(() => undefined);
  beforeAll(async () => {
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    const { port } = mute.address() as AddressInfo;
    const client = new WatchedClient(`postgres://any@127.0.0.1:${port}/any`);
    connecting = client.connect().catch((error: unknown) => error);
  });
  afterAll(() => {
    mute.close();
  });

  let database: TestDatabase;
  let proxy: DatabaseProxy;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    proxy = await startDatabaseProxy(database.url);
  });
  afterEach(async () => {
    await proxy.close();
    await database.drop();
  });

  async function connected(
    options: pg.ClientConfig & { readonly pipeline?: boolean } = {},
  ): Promise<WatchedClient> {
    const client = new WatchedClient({ connectionString: utcUrl(proxy.url), ...options });
    await client.connect();
    return client;
  }

  it('fails the statements under way, as if the database were unavailable', async () => {
    const client = await connected({ statement_timeout: 1_000 });
    const slow = client.query('select pg_sleep(30)');
    proxy.silence();
    const error: unknown = await slow.catch((problem: unknown) => problem);
    expect(error).toMatchObject({ code: 'ETIMEDOUT' });
    expect(isTransient(error)).toBe(true);
    await client.end();
  });

  it('fails pipelined statements too', async () => {
    const client = await connected({ statement_timeout: 1_000, pipeline: true });
    proxy.silence();
    const all = await Promise.allSettled([client.query('select 1'), client.query('select 2')]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('ends no process when it is lost between two statements', async () => {
    const pool = watchedPool({ connectionString: utcUrl(proxy.url) });
    pool.on('error', () => undefined);
    const [lost, other] = [await pool.connect(), await pool.connect()];
    await lost.query('begin');
    const { rows } = await lost.query<{ pid: number }>('select pg_backend_pid() as pid');
    const ended = new Promise((resolve) => lost.on('end', () => resolve(null)));
    await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(lost.query('commit')).rejects.toThrow('not queryable');
    lost.release(true);
    other.release();
    await pool.end();
  });

  it('closes although the server does not', async () => {
    const client = await connected();
    proxy.silence();
    await client.end();
  });

  it('waits for slow statements, and for what the server tells unasked', async () => {
    const listening = await connected({ statement_timeout: 1_000 });
    await listening.query('listen news');
    const [limited, unlimited] = [await connected({ statement_timeout: 30_000 }), await connected()];
    const sleeps = [limited, unlimited].map((client) => client.query('select pg_sleep(8)'));
    expect((await Promise.all(sleeps)).map(({ rowCount }) => rowCount)).toEqual([1, 1]);
    const told = once(listening, 'notification');
    await limited.query('notify news');
    await told;
    for (const client of [listening, limited, unlimited]) await client.end();
  });

  it('has the server look whether the client is still there', async () => {
    const client = await connected();
    const { rows } = await client.query<{ tcp_keepalives_idle: string }>('show tcp_keepalives_idle');
    // Test servers may be reached over a socket of the file system, which needs no such looks.
    expect(['10', '0']).toContain(rows[0]?.tcp_keepalives_idle);
    await client.end();
  });

  it('gives up connecting', async () => {
    expect(await connecting).toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('is what all parts of the product use', () => {
    const unwatched = readdirSync('src', { recursive: true })
      .map((name) => join('src', String(name)))
      .filter((path) => path.endsWith('.ts') && !OWN.includes(path))
      .filter((path) =>
        /new pg\.(Client|Pool)\(|import .*\b(Client|Pool)\b.* from 'pg'/.test(readFileSync(path, 'utf8')),
      );
    expect(unwatched).toEqual([]);
  });
});
