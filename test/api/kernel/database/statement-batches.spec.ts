import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#kernel/database/data-source.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { letGoEarly, runDeferred, runWithNext } from '#kernel/database/statements/prepared.js';
import { StatementBatch, type Asked } from '#kernel/database/statements/statement-batch.js';
import { errorCode, violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { requestContext, runAsJob } from '#kernel/log/request-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const realAdd = Reflect.get(StatementBatch.prototype, 'add') as (
  this: StatementBatch,
  asked: Asked,
) => Promise<QueryResult>;

let database: TestDatabase;
let dataSource: DataSource;
let transactions: Transactions;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  // One connection: leftovers of one transaction would affect the next one.
  dataSource = await new DataSource(
    await dataSourceOptions(DatabaseAddress.direct(database.url), 1),
  ).initialize();
  transactions = new Transactions(dataSource);
  await dataSource.query('create table shelf (id int primary key, place int not null check (place > 0))');
});
afterEach(async () => {
  await dataSource.query('drop table shelf');
  await dataSource.destroy();
});

const PUT = 'insert into shelf (id, place) values ($1, $2)';
const put = (tx: Tx, id: number, place = id): Promise<unknown> => tx.query(PUT, [id, place]);
const putLater = (tx: Tx, id: number, place = id): Promise<void> => runDeferred(tx, PUT, [id, place]);
const ids = async (on: Pick<Tx, 'query'> = dataSource.manager): Promise<number[]> =>
  (await on.query<{ id: number }[]>('select id from shelf order by id')).map(({ id }) => id);
const state = async (tx: Tx): Promise<string> =>
  (await tx.query<{ id: string }[]>('select pg_current_xact_id()::text as id'))[0]?.id ?? '';

describe('a transaction', () => {
  it('is one from its first statement on, and leaves nothing behind if it fails', async () => {
    const failing = transactions.run(async (tx) => {
      const first = await state(tx);
      await put(tx, 1);
      expect(await state(tx)).toBe(first);
      throw new Error('enough');
    });
    await expect(failing).rejects.toThrow('enough');
    expect(await ids()).toEqual([]);
  });

  it('may be empty, end before it has started, or start with several statements in one text', async () => {
    expect(await transactions.run(() => Promise.resolve(7))).toBe(7);
    await expect(transactions.run(() => Promise.reject(new Error('enough')))).rejects.toThrow('enough');
    const failing = transactions.run(async (tx) => {
      await tx.query('insert into shelf values (1, 1); insert into shelf values (2, 2)');
      throw new Error('enough');
    });
    await expect(failing).rejects.toThrow('enough');
    await transactions.run((tx) =>
      tx.query('insert into shelf values (3, 3); insert into shelf values (4, 4)'),
    );
    expect(await ids()).toEqual([3, 4]);
  });

  it('fails with the error of its first statement, and leaves the connection usable', async () => {
    const problem: unknown = await transactions.run((tx) => put(tx, 1, 0)).catch((error: unknown) => error);
    expect(violatedConstraint(problem)).toBe('shelf_place_check');
    await transactions.run((tx) => put(tx, 1));
    expect(await ids()).toEqual([1]);
  });

  it('sends several statements at once, in order', async () => {
    const found = await transactions.run((tx) =>
      Promise.all([put(tx, 1), ids(tx), put(tx, 2), ids(tx), tx.query<unknown[]>('select null as nothing')]),
    );
    expect([found[1], found[3], found[4]]).toEqual([[1], [1, 2], [{ nothing: null }]]);
  });
});

describe('statements that wait for the next one', () => {
  it('are sent before it, and at the latest with the commit', async () => {
    await transactions.run(async (tx) => {
      await putLater(tx, 1);
      expect(await ids(tx)).toEqual([1]);
      await putLater(tx, 2);
      await putLater(tx, 3);
    });
    expect(await ids()).toEqual([1, 2, 3]);
    await transactions.run((tx) => putLater(tx, 4));
    expect(await ids()).toEqual([1, 2, 3, 4]);
  });

  it('return their rows on demand, whether a statement followed or not', async () => {
    const found = await transactions.run(async (tx) => {
      await put(tx, 1);
      const before = await runWithNext(tx, 'select id from shelf', []);
      await put(tx, 2);
      const after = await runWithNext(tx, 'select id from shelf where id > $1', [1]);
      return [await after(), await before()];
    });
    expect(found).toEqual([[{ id: 2 }], [{ id: 1 }]]);
  });

  it('also return their rows after the commit, and leave waiting statements of other transactions alone', async () => {
    const rows = await transactions.run(async (tx) => {
      await putLater(tx, 1);
      return runWithNext(tx, 'select id from shelf', []);
    });
    await transactions
      .run(async (tx) => {
        await putLater(tx, 2);
        expect(await rows()).toEqual([{ id: 1 }]);
        throw new Error('enough');
      })
      .catch(() => undefined);
    expect(await ids()).toEqual([1]);
  });

  it('may be many, prepared or not', async () => {
    await transactions.run(async (tx) => {
      for (let id = 1; id <= 100; id += 1) await putLater(tx, id);
    });
    expect(await ids()).toHaveLength(100);
  });

  it('are rolled back with their transaction, and never start one', async () => {
    const failing = transactions.run(async (tx) => {
      await putLater(tx, 1);
      throw new Error('enough');
    });
    await expect(failing).rejects.toThrow('enough');
    const later = transactions.run(async (tx) => {
      await put(tx, 2);
      await putLater(tx, 3);
      throw new Error('enough');
    });
    await expect(later).rejects.toThrow('enough');
    expect(await ids()).toEqual([]);
  });

  it.each([
    ['the next statement', (tx: Tx) => put(tx, 9)],
    ['several statements in one text', (tx: Tx) => tx.query('select 1; select 2')],
    ['the commit', () => Promise.resolve()],
  ])('fail %s with their own error, and nothing is stored', async (_, next) => {
    const failing = transactions.run(async (tx) => {
      await put(tx, 1);
      await putLater(tx, 2, 0);
      await putLater(tx, 3);
      await next(tx);
    });
    const problem: unknown = await failing.catch((error: unknown) => error);
    expect([errorCode(problem), violatedConstraint(problem)]).toEqual(['23514', 'shelf_place_check']);
    expect(await ids()).toEqual([]);
    for (let time = 0; time < 5; time += 1) await transactions.run((tx) => putLater(tx, 10 + time));
    expect(await ids()).toHaveLength(5);
  });

  it('belong to their savepoint: they are rolled back with it, and their failure rolls back only that', async () => {
    await transactions.together(async (tx) => {
      await putLater(tx, 1);
      await transactions
        .run(async (part) => {
          await putLater(part, 2);
          throw new Error('enough');
        })
        .catch(() => undefined);
      await transactions.run((part) => putLater(part, 3, 0)).catch(() => undefined);
      await transactions.run((part) => putLater(part, 4));
      await putLater(tx, 5);
    });
    expect(await ids()).toEqual([1, 4, 5]);
  });

  it('are counted for the request', async () => {
    const counted = await runAsJob('test', undefined, async () => {
      await transactions.run(async (tx) => {
        await put(tx, 1);
        await putLater(tx, 2);
        await putLater(tx, 3);
      });
      return requestContext.getStore()?.dbCount;
    });
    expect(counted).toBe(3);
  });

  it('fail with the connection that they wait on', async () => {
    const failing = transactions.run(async (tx) => {
      await put(tx, 1);
      const [own] = await tx.query<{ pid: number }[]>('select pg_backend_pid() as pid');
      await putLater(tx, 2);
      const other = await new DataSource(
        await dataSourceOptions(DatabaseAddress.direct(database.url), 1),
      ).initialize();
      await other.query('select pg_terminate_backend($1, 5000)', [own?.pid]);
      await other.destroy();
    });
    await expect(failing).rejects.toThrow();
    expect(await ids()).toEqual([]);
  });
});

describe('a transaction that releases its locks with its commit', () => {
  // The test server does not wait for the disk by default.
  beforeEach(() => dataSource.query('set synchronous_commit = on'));
  const one = async <Value>(text: string, on: Pick<Tx, 'query'> = dataSource.manager): Promise<Value> =>
    (await on.query<[{ value: Value }]>(text))[0].value;
  const setting = (on?: Pick<Tx, 'query'>): Promise<string> =>
    one(`select current_setting('synchronous_commit') as value`, on);

  it('is on disk once it returns, and the next one waits for the disk as usual', async () => {
    for (let id = 1; id <= 20; id += 1) {
      const written = await transactions.run(async (tx) => {
        await letGoEarly(tx);
        await put(tx, id);
        expect(await setting(tx)).toBe('off');
        return one<string>('select pg_current_wal_insert_lsn()::text as value', tx);
      });
      expect(await one(`select pg_current_wal_flush_lsn() >= '${written}'::pg_lsn as value`)).toBe(true);
      expect(await setting()).toBe('on');
    }
    expect(await ids()).toHaveLength(20);
  });

  it('may request that at any time, which counts as no statement', async () => {
    for (let id = 1; id <= 5; id += 1) {
      const counted = await runAsJob('test', undefined, async () => {
        await transactions.run(async (tx) => {
          await letGoEarly(tx);
          await put(tx, id);
          await letGoEarly(tx);
        });
        return requestContext.getStore()?.dbCount;
      });
      expect(counted).toBe(1);
    }
    await transactions.run((tx) => letGoEarly(tx));
    expect(await setting()).toBe('on');
    expect(await ids()).toEqual([1, 2, 3, 4, 5]);
  });

  it('is rolled back like any other, also by a statement that is sent with its commit', async () => {
    const failing = transactions.run(async (tx) => {
      await letGoEarly(tx);
      await put(tx, 1);
      throw new Error('enough');
    });
    await expect(failing).rejects.toThrow('enough');
    const refused = transactions.run(async (tx) => {
      await letGoEarly(tx);
      await put(tx, 2);
      await putLater(tx, 3, 0);
    });
    expect(violatedConstraint(await refused.catch((error: unknown) => error))).toBe('shelf_place_check');
    await transactions.run((tx) => put(tx, 4));
    expect(await setting()).toBe('on');
    expect(await ids()).toEqual([4]);
  });

  it('is never retried once it is committed, whatever the result of the wait for the disk', async () => {
    const add = jest.spyOn(StatementBatch.prototype, 'add');
    add.mockImplementation(function (this: StatementBatch, asked) {
      const isWait = asked.text.includes('pg_logical_emit_message');
      // A response of a proxy that has discarded a statement: by itself it would be a reason to retry.
      const text = `do $$ begin raise exception 'gone' using errcode = '26000'; end $$`;
      return realAdd.call(this, isWait ? { text } : asked);
    });
    let runs = 0;
    const waiting = transactions.run(async (tx) => {
      runs += 1;
      await letGoEarly(tx);
      await put(tx, runs);
    });
    const problem: unknown = await waiting.catch((error: unknown) => error);
    add.mockRestore();
    expect([errorCode(problem), runs]).toEqual(['08006', 1]);
    await transactions.run((tx) => put(tx, 2));
    expect(await ids()).toEqual([1, 2]);
  });
});
