import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#kernel/database/data-source.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { runPrepared, runWithNext } from '#kernel/database/statements/prepared.js';
import { Transactions } from '#kernel/database/transactions.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const FIND = { name: 'shelf_find_described', text: 'select id, title from shelf where id = $1' };
const PUT = 'insert into shelf (id, title) values ($1, $2)';

let database: TestDatabase;
let dataSource: DataSource;
let transactions: Transactions;
let described: jest.SpiedFunction<() => void>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  dataSource = await new DataSource(
    await dataSourceOptions(DatabaseAddress.direct(database.url), 1),
  ).initialize();
  transactions = new Transactions(dataSource);
  await dataSource.query('create table shelf (id int primary key, title text)');
  const wire = (pg as unknown as { Connection: { prototype: { describe: () => void } } }).Connection;
  described = jest.spyOn(wire.prototype, 'describe');
});
afterEach(async () => {
  described.mockRestore();
  await dataSource.query('drop table shelf');
  await dataSource.destroy();
});

describe('the column description of a statement', () => {
  it('is requested once per connection, whether the statement is sent alone or with others', async () => {
    await dataSource.query(PUT, [1, 'one']);
    const look = (): Promise<object[][]> =>
      transactions.run(async (tx) => {
        const first = await runWithNext(tx, 'select title from shelf where id = $1', [1]);
        const second = await runPrepared(tx, FIND, [1]);
        return [await first(), second, await runPrepared(tx, FIND, [2])];
      });
    const expected = [[{ title: 'one' }], [{ id: 1, title: 'one' }], []];
    for (let time = 0; time < 4; time += 1) expect(await look()).toEqual(expected);
    described.mockClear();
    for (let time = 0; time < 3; time += 1) expect(await look()).toEqual(expected);
    // Begin and commit have no columns.
    expect(described.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('is empty for a statement that only writes, which returns its row count', async () => {
    for (let id = 1; id < 7; id += 1)
      expect(await transactions.run((tx) => tx.query(PUT, [id, 'a']))).toEqual([]);
    const update = 'update shelf set title = $2 where id < $1';
    for (let time = 0; time < 5; time += 1) expect(await dataSource.query(update, [4, 'b'])).toEqual([[], 3]);
  });

  it('is requested again if the connection failed before', async () => {
    const text = 'select 7 / $1::int as share';
    for (let time = 0; time < 2; time += 1)
      await expect(dataSource.query(text, [0])).rejects.toThrow('division by zero');
    await expect(dataSource.query(text, [0])).rejects.toThrow('division by zero');
    expect(await dataSource.query(text, [1])).toEqual([{ share: 7 }]);
    await expect(dataSource.query(text, [0])).rejects.toThrow('division by zero');
    expect(await dataSource.query(text, [7])).toEqual([{ share: 1 }]);
  });
});
