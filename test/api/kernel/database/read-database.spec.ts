import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import '#kernel/database/reads/pg-types.js';
import { CountedClient } from '#kernel/database/statements/counted-client.js';
import { PatientPool } from '#kernel/database/patient-pool.js';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { requestContext, runAsJob } from '#kernel/log/request-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

let database: TestDatabase;
let reading: ReadDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  reading = new ReadDatabase(DatabaseAddress.direct(database.url), 1);
});
afterAll(async () => {
  await reading.onApplicationShutdown();
  await database.drop();
});

it('every statement is answered, and no more are prepared than the database has memory for', async () => {
  const COUNT = 'select count(*)::int as n from pg_prepared_statements where length(statement) > 100000';
  for (let index = 0; index < 8; index += 1) {
    const text = `select $1::int as n /* ${String(index)}${'x'.repeat(1_000_000)} */`;
    expect(await reading.long(text, [index])).toEqual([{ n: index }]);
    expect(await reading.short(text, [index + 1])).toEqual([{ n: index + 1 }]);
  }
  // Three fit into all of it.
  expect(await reading.long(COUNT, [])).toEqual([{ n: 3 }]);
  expect(await reading.long('select 7 as n /* short */', [])).toEqual([{ n: 7 }]);
  const SHORT = `select count(*)::int as n from pg_prepared_statements where statement like '%/* short */'`;
  expect(await reading.long(SHORT, [])).toEqual([{ n: 1 }]);
});

it('a read waits for its connection as long as a write does', async () => {
  const { host, port, user, password, database: name } = new pg.Client({ connectionString: database.url });
  const to = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  // A pooler, or a server that has no processor left.
  const slow = createServer((client) => {
    client.on('error', () => undefined);
    setTimeout(() => {
      const server = connect(to);
      server.on('error', () => undefined);
      client.pipe(server).pipe(client);
    }, 7_000);
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', () => resolve()));
  const at = (slow.address() as AddressInfo).port;
  const url = `postgres://${user ?? ''}:${encodeURIComponent(password ?? '')}@127.0.0.1:${at}/${name ?? ''}`;
  const patient = new ReadDatabase(DatabaseAddress.direct(url), 1);
  try {
    const [short, long] = [patient.short('select 1 as n', []), patient.long('select 2 as n', [])];
    expect(await Promise.all([short, long])).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  } finally {
    await patient.onApplicationShutdown();
    slow.close();
  }
});

it('look-ups of many keys are prepared however many texts callers have made', async () => {
  const full = new ReadDatabase(DatabaseAddress.direct(database.url), 1);
  for (let size = 2_000_000; size >= 1; size >>= 1)
    await full.long(`select 1 as n /* ${'y'.repeat(size)} */`, []);
  const doubled = full.batched<{ position: number; twice: number }>(
    'select position, n * 2 as twice from unnest($1::int[]) with ordinality as k(n, position)',
  );
  expect(await Promise.all([doubled.find(4), doubled.find(5)])).toEqual([
    expect.objectContaining({ twice: 8 }),
    expect.objectContaining({ twice: 10 }),
  ]);
  await full.onApplicationShutdown();
});

describe('batched look-ups', () => {
  const SQUARES = `select k.position, k.n * k.n as square, (select count(*)::int from unnest($1::int[])) as asked
    from unnest($1::int[], $2::text[]) with ordinality as k(n, name, position) where k.n <> 3`;
  interface Square {
    readonly position: number;
    readonly square: number;
    readonly asked: number;
  }

  it('query all keys of a turn in one statement, and return each its own row or null', async () => {
    const squares = reading.batched<Square>(SQUARES);
    const rows = await Promise.all([1, 2, 3, 4].map((n) => squares.find(n, 'name')));
    expect(rows.map((row) => row?.square ?? null)).toEqual([1, 4, null, 16]);
    expect(rows[0]?.asked).toBe(4);
    expect((await squares.find(5, 'name'))?.asked).toBe(1);
  });

  it('query many keys in several statements', async () => {
    const squares = reading.batched<Square>(SQUARES);
    const rows = await Promise.all(Array.from({ length: 250 }, (_, n) => squares.find(n + 10, 'name')));
    expect(rows.map((row) => row?.square)).toEqual(Array.from({ length: 250 }, (_, n) => (n + 10) ** 2));
    expect(new Set(rows.map((row) => row?.asked))).toEqual(new Set([100, 50]));
  });

  it('do not fail for a key that is invalid for them', async () => {
    const squares = reading.batched<Square>(SQUARES);
    const [good, bad, other] = await Promise.allSettled([
      squares.find(7, 'name'),
      squares.find(8, 'no\0text'),
      squares.find(9, 'name'),
    ]);
    expect(good).toMatchObject({ status: 'fulfilled', value: { square: 49 } });
    expect(bad.status).toBe('rejected');
    expect(other).toMatchObject({ status: 'fulfilled', value: { square: 81 } });
  });

  it('count as one statement of each request', async () => {
    const squares = reading.batched<Square>(SQUARES);
    const counts = await Promise.all(
      [1, 2].map((n) =>
        runAsJob('test', undefined, async () => {
          await squares.find(n, 'name');
          return requestContext.getStore()?.dbCount;
        }),
      ),
    );
    expect(counts).toEqual([1, 1]);
  });
});

describe('reads next to a waiting one', () => {
  it('move to another connection if a read blocks theirs', async () => {
    let isOver = false;
    const slow = reading.short('select 1 as n from pg_sleep($1)', [4]).then(() => (isOver = true));
    const early = Array.from({ length: 4 }, (_, n) => reading.short('select $1::int as early', [n]));
    await sleep(600);
    for (let n = 0; n < 6; n += 1)
      expect(await reading.short('select $1::int as late', [n])).toEqual([{ late: n }]);
    expect(isOver).toBe(false);
    await Promise.all([slow, ...early]);
  });

  it('continue while a table is locked, and reads of that table resume afterwards', async () => {
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query('create table shut as select 1 as n');
    await owner.query('begin');
    await owner.query('lock table shut in access exclusive mode');
    let answered = 0;
    const shut = ['short', 'long'] as const;
    const waiting = shut.flatMap((way) =>
      Array.from({ length: 5 }, async () => {
        const rows = await reading[way]('select n from shut', []).catch((error: unknown) => [
          errorCode(error),
        ]);
        answered += 1;
        return rows;
      }),
    );
    await sleep(1_000);
    for (const way of shut) expect(await reading[way]('select 5 as free', [])).toEqual([{ free: 5 }]);
    expect(answered).toBe(0);
    await owner.query('rollback');
    const outcomes = (await Promise.all(waiting)).flat();
    expect(outcomes.filter((one) => one !== '55P03')).toEqual(outcomes.map(() => ({ n: 1 })));
    await owner.end();
  });
});

it('transactions that wait for a lock do not use up the connections for writing', async () => {
  const pool = new PatientPool({ connectionString: database.url, max: 2, Client: CountedClient });
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query('create table taken as select 1 as n');
  await owner.query('begin');
  await owner.query('lock table taken in access exclusive mode');
  const waiting = [1, 2].map(() => pool.query('update taken set n = 2'));
  expect((await pool.query('select 7 as n')).rows).toEqual([{ n: 7 }]);
  // Three is the maximum.
  const more = [1, 2].map(() => pool.query('update taken set n = 3'));
  await sleep(600);
  expect(pool.totalCount).toBe(3);
  await owner.query('rollback');
  await Promise.all([...waiting, ...more]);
  await owner.end();
  await pool.end();
});
