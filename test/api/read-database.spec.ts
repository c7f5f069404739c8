import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import '#kernel/database/pg-types.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { requestContext, runAsJob } from '#kernel/log/request-context.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let reading: ReadDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  reading = new ReadDatabase(database.url, 1);
});
afterAll(async () => {
  await reading.onApplicationShutdown();
  await database.drop();
});

it('answers every statement, and prepares no more of them than the memory of the database can bear', async () => {
  const COUNT = 'select count(*)::int as n from pg_prepared_statements where length(statement) > 100000';
  for (let index = 0; index < 8; index += 1) {
    const text = `select $1::int as n /* ${String(index)}${'x'.repeat(1_000_000)} */`;
    expect(await reading.long(text, [index])).toEqual([{ n: index }]);
    expect(await reading.short(text, [index + 1])).toEqual([{ n: index + 1 }]);
  }
  // Other test files of this process have had some of the room: three fit into all of it.
  const [found] = await reading.long<{ n: number }>(COUNT, []);
  expect(found?.n).toBeLessThanOrEqual(3);
  expect(await reading.long('select 7 as n /* short */', [])).toEqual([{ n: 7 }]);
  const SHORT = `select count(*)::int as n from pg_prepared_statements where statement like '%/* short */'`;
  expect(await reading.long(SHORT, [])).toEqual([{ n: 1 }]);
});

describe('batched look-ups', () => {
  const SQUARES = `select k.place, k.n * k.n as square, (select count(*)::int from unnest($1::int[])) as asked
    from unnest($1::int[], $2::text[]) with ordinality as k(n, name, place) where k.n <> 3`;
  interface Square {
    readonly place: number;
    readonly square: number;
    readonly asked: number;
  }

  it('ask for all keys of a turn in one statement, and give each its own row or null', async () => {
    const squares = reading.batched<Square>(SQUARES);
    const rows = await Promise.all([1, 2, 3, 4].map((n) => squares.find(n, 'name')));
    expect(rows.map((row) => row?.square ?? null)).toEqual([1, 4, null, 16]);
    expect(rows[0]?.asked).toBe(4);
    expect((await squares.find(5, 'name'))?.asked).toBe(1);
  });

  it('ask for many keys in several statements', async () => {
    const squares = reading.batched<Square>(SQUARES);
    const rows = await Promise.all(Array.from({ length: 250 }, (_, n) => squares.find(n + 10, 'name')));
    expect(rows.map((row) => row?.square)).toEqual(Array.from({ length: 250 }, (_, n) => (n + 10) ** 2));
    expect(new Set(rows.map((row) => row?.asked))).toEqual(new Set([100, 50]));
  });

  it('do not fail for a key that cannot be asked for beside them', async () => {
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

  it('count as a statement of each request that asks', async () => {
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
