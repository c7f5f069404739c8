import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { Config } from '#kernel/config/config.js';
import { dataSourceOptions } from '#kernel/database/data-source.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { sessionOptions } from '#kernel/database/sessions/session-options.js';
import { Transactions } from '#kernel/database/transactions.js';
import { runPrepared } from '#kernel/database/statements/prepared.js';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { hasPgbouncer, Pgbouncer } from '../../../support/pgbouncer.js';

const SETTINGS = `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as statement,
  current_setting('lock_timeout') as lock, current_setting('transaction_read_only') as reads, current_setting('cpu_tuple_cost') as cost, $1::int as n`;

if (!hasPgbouncer) process.stderr.write('pgbouncer is not installed: the tests that need it are SKIPPED\n');

(hasPgbouncer ? describe : describe.skip)('statements through PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let bouncer: Pgbouncer;
  let address: DatabaseAddress;
  let source: DataSource;
  let reading: ReadDatabase;
  const undo: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    undo.push(() => database.drop());
    await change(`alter database NAME set timezone to 'Asia/Tokyo'`);
    await change('create table things (id int primary key, at timestamptz default now())');
    bouncer = await Pgbouncer.start(database.url, { sessions: 2 });
    undo.push(() => bouncer.stop());
    const config = Object.assign(new Config(), {
      DATABASE_POOLER: 'transaction',
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: database.url,
    });
    address = DatabaseAddress.of(config, bouncer.url);
    source = await new DataSource(await dataSourceOptions(address, 8)).initialize();
    undo.push(() => source.destroy());
    reading = new ReadDatabase(address);
    undo.push(() => reading.onApplicationShutdown());
  });
  afterAll(async () => {
    for (const one of undo.reverse()) await one();
  });

  async function change(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(text.replace('NAME', `"${client.database ?? ''}"`));
    await client.end();
  }

  const all = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));

  it('have the settings of their purpose, in any session', async () => {
    const transactions = new Transactions(source);
    const [short, long, alone, within] = await Promise.all([
      all(50, (n) => reading.short(SETTINGS, [n])),
      all(20, (n) => reading.long(SETTINGS, [n])),
      all(20, (n) => source.query<object[]>(SETTINGS, [n])),
      all(20, (n) =>
        transactions.run(async (tx) => {
          await tx.query('select 1');
          const rows = await runPrepared(tx, { name: 'settings', text: SETTINGS }, [n]);
          return [...rows, ...(await tx.query<object[]>(SETTINGS, [n]))];
        }),
      ),
    ]);
    const common = { zone: 'UTC', cost: '0.2', reads: 'on', lock: '250ms' };
    expect(short).toEqual(short.map((_, n) => [{ ...common, statement: '5s', n }]));
    expect(long).toEqual(long.map((_, n) => [{ ...common, statement: '15s', n }]));
    const write = { zone: 'UTC', cost: '0.2', reads: 'off', statement: '30s', lock: '5s' };
    expect(alone).toEqual(alone.map((_, n) => [{ ...write, n }]));
    expect(within).toEqual(within.map((_, n) => Array<object>(2).fill({ ...write, n })));
    expect(await bouncer.sessions()).toBeLessThanOrEqual(2);
  });

  it('leave no state behind in the session', async () => {
    const client = new pg.Client({ connectionString: bouncer.url });
    await client.connect();
    const { rows } = await client.query(SETTINGS.replace('$1', '0'));
    await client.end();
    expect(rows).toEqual([
      { zone: 'Asia/Tokyo', cost: '0.01', statement: '0', lock: '0', reads: 'off', n: 0 },
    ]);
  });

  it('keep or roll back all changes of a transaction together', async () => {
    const transactions = new Transactions(source);
    const insert = (n: number, fails: boolean): Promise<void> =>
      transactions.run(async (tx) => {
        await tx.query('insert into things (id) values ($1)', [n]);
        const [row] = await tx.query<{ count: number }[]>(
          'select count(*)::int as count from things where id = $1',
          [n],
        );
        expect(row?.count).toBe(1);
        if (fails) throw new Error('no');
      });
    const results = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => insert(n, n % 4 === 0)));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    const rows = await source.query<{ count: number }[]>('select count(*)::int as count from things');
    expect(rows).toEqual([{ count: 30 }]);
  });

  it('within transactions need no second session: as many transactions as sessions may read', async () => {
    const transactions = new Transactions(source);
    const read = (n: number): Promise<object[]> =>
      transactions.run(async (tx) => {
        await tx.query('select pg_sleep(0.05)');
        return [
          ...(await reading.short('select $1::int as n', [n])),
          ...(await reading.long('select 1 as n', [])),
        ];
      });
    expect(await all(6, read)).toEqual([0, 1, 2, 3, 4, 5].map((n) => [{ n }, { n: 1 }]));
  });

  it('fail individually: an error of one does not affect others', async () => {
    const results = await Promise.allSettled([
      reading.short('select 1 as n where $1::int = 0', [0]),
      reading.short('select 1 / $1::int as n', [0]),
      reading.short('insert into things (id) values ($1)', [1_000]),
      reading.short('select $1::int as n', [7]),
    ]);
    expect(
      results.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
    ).toEqual([
      [{ n: 1 }],
      'division by zero',
      'cannot execute INSERT in a read-only transaction',
      [{ n: 7 }],
    ]);
  });

  it('may be several in one text, by the simple protocol', async () => {
    const { Client = pg.Client, ...options } = sessionOptions(address, '-c lock_timeout=7s');
    const client = new Client(options);
    await client.connect();
    const results = (await client.query(
      `select 1 as a; select current_setting('lock_timeout') as b`,
    )) as unknown as pg.QueryResult[];
    expect(results.map(({ rows }) => rows as unknown)).toEqual([[{ a: 1 }], [{ b: '7s' }]]);
    await expect(client.query('select nothing')).rejects.toThrow('nothing');
    await client.query('begin');
    await expect(client.query('select nothing')).rejects.toThrow('nothing');
    await client.query('rollback');
    expect((await client.query(`select current_setting('TimeZone') as zone`)).rows).toEqual([
      { zone: 'UTC' },
    ]);
    await client.end();
  });
});
