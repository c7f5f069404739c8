import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#kernel/database/data-source.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { runPrepared } from '#kernel/database/statements/prepared.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

let database: TestDatabase;
let dataSource: DataSource;
let transactions: Transactions;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  // One connection: statements prepared by one transaction are there for the next one.
  dataSource = await new DataSource(
    await dataSourceOptions(DatabaseAddress.direct(database.url), 1),
  ).initialize();
  transactions = new Transactions(dataSource);
  await dataSource.query('create table shelf (id int primary key, title text)');
  await dataSource.query(`insert into shelf values (1, 'one')`);
});
afterEach(async () => {
  await dataSource.query('drop table shelf');
  await dataSource.destroy();
});

const FIND = 'select * from shelf where id = $1';
const NAMED = { name: 'shelf_find', text: FIND };

const find = (text = FIND): Promise<object[]> => transactions.run((tx) => tx.query<object[]>(text, [1]));

const prepared = async (tx: Pick<Tx, 'query'> = dataSource.manager): Promise<string[]> =>
  (await tx.query<{ statement: string }[]>('select statement from pg_prepared_statements')).map(
    ({ statement }) => statement,
  );

describe('statements of transactions', () => {
  it('are prepared on their connection once they are repeated', async () => {
    await find();
    expect(await prepared()).not.toContain(FIND);
    for (let time = 0; time < 5; time += 1) expect(await find()).toEqual([{ id: 1, title: 'one' }]);
    expect(await prepared()).toContain(FIND);
  });

  it('make room for others: the least recently used are dropped, also in a failed transaction', async () => {
    const texts = Array.from(
      { length: 40 },
      (_, index) => `${FIND} and ${index} < $1::int + 100 /* ${'x'.repeat(9_000)} */`,
    );
    for (const text of texts) for (let time = 0; time < 4; time += 1) await find(text);
    const kept = await prepared();
    expect(kept).toContain(texts.at(-1));
    expect(kept).not.toContain(texts[0]);
    expect(kept.join('').length).toBeLessThan(160_000);
    const failing = transactions.run(async (tx) => {
      await tx.query('select 1 / $1::int', [0]).catch(() => undefined);
      for (let time = 0; time < 3; time += 1) await tx.query(texts[1] ?? '', [1]).catch(() => undefined);
      await tx.query('select 1 / $1::int', [0]);
    });
    await expect(failing).rejects.toThrow('current transaction is aborted');
    // Each of them again, whatever the connection dropped for it.
    for (const text of texts) expect(await find(text)).toEqual([{ id: 1, title: 'one' }]);
  });

  it.each([
    ['a text', find],
    ['a named statement', () => transactions.run((tx) => runPrepared(tx, NAMED, [1]))],
  ])(
    'are planned anew, and the transaction retried, when a migration changes the columns of %s',
    async (_, run) => {
      for (let time = 0; time < 8; time += 1) await run();
      await dataSource.query(`alter table shelf add column size int default 7`);
      expect(await run()).toEqual([{ id: 1, title: 'one', size: 7 }]);
      await dataSource.query(`alter table shelf add column colour text default 'red'`);
      expect(await run()).toEqual([{ id: 1, title: 'one', size: 7, colour: 'red' }]);
    },
  );

  it('are sent again if a proxy before the server discarded them', async () => {
    for (let time = 0; time < 8; time += 1) await find();
    await dataSource.query('deallocate all');
    expect(await find()).toEqual([{ id: 1, title: 'one' }]);
  });
});
