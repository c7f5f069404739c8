import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { afterCommit, Transactions } from '#kernel/database/transactions.js';
import type { TestApi } from '../../../support/api.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('use cases in one transaction', () => {
  let api: TestApi;
  let transactions: Transactions;
  let told: string[];
  beforeAll(async () => {
    api = await borrowApi();
    transactions = api.app.get(Transactions);
    await api.sql('create table marks (name text primary key)');
  });
  beforeEach(async () => {
    told = [];
    await api.sql('delete from marks');
  });
  afterAll(() => api.close());

  /** A use case in its own transaction. */
  const mark = (name: string, error: Error | null = null): Promise<void> =>
    transactions.run(async (tx) => {
      await tx.query('insert into marks (name) values ($1)', [name]);
      afterCommit(tx, () => told.push(name));
      if (error) throw error;
    });
  const MARKS = 'select name from marks order by 1';
  const outside = AsyncLocalStorage.snapshot();
  /** The rows visible to others. */
  const marks = async (): Promise<string[]> =>
    (await outside(() => api.sql<{ name: string }>(MARKS))).map(({ name }) => name);

  it('are committed together, and publish their events afterwards', async () => {
    await transactions.together(async () => {
      await mark('one');
      await mark('two');
      expect([await marks(), told]).toEqual([[], []]);
    });
    expect([await marks(), told]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
  });

  it('read their own writes', async () => {
    const reads = api.app.get(ReadDatabase);
    const read = (): Promise<object[][]> => Promise.all([reads.short(MARKS, []), reads.long(MARKS, [])]);
    await transactions.together(async () => {
      await mark('one');
      expect([await read(), await marks()]).toEqual([[[{ name: 'one' }], [{ name: 'one' }]], []]);
      await expect(mark('two', new Error('No'))).rejects.toThrow('No');
      expect(await reads.one(MARKS, [])).toEqual({ name: 'one' });
    });
    expect(await read()).toEqual([[{ name: 'one' }], [{ name: 'one' }]]);
  });

  it('are rolled back individually when one fails, also by a database error', async () => {
    await transactions.together(async () => {
      await mark('one');
      await expect(mark('two', new Error('No'))).rejects.toThrow('No');
      await expect(mark('one')).rejects.toThrow('duplicate key');
      await mark('three');
    });
    expect([await marks(), told]).toEqual([
      ['one', 'three'],
      ['one', 'three'],
    ]);
  });

  it('are all rolled back if the whole fails', async () => {
    const whole = transactions.together(async () => {
      await mark('one');
      throw new Error('All');
    });
    await expect(whole).rejects.toThrow('All');
    expect([await marks(), told]).toEqual([[], []]);
  });

  it('are retried as a whole if they cannot be serialized', async () => {
    let attempts = 0;
    await transactions.together(async () => {
      attempts += 1;
      await mark('one');
      await mark('two', attempts < 3 ? Object.assign(new Error('Again'), { code: '40001' }) : null);
    });
    expect([attempts, await marks(), told]).toEqual([3, ['one', 'two'], ['one', 'two']]);
  });

  it('do not share their transaction with work that continues after them', async () => {
    let release: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (release = resolve));
    let late: Promise<void> = Promise.resolve();
    await transactions.together(async () => {
      late = ended.then(() => mark('late'));
      await mark('one');
    });
    release();
    await late;
    expect(await marks()).toEqual(['late', 'one']);
  });
});
