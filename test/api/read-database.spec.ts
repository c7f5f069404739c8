import { afterAll, beforeAll, expect, it } from '@jest/globals';
import '#kernel/database/pg-types.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
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
  expect(await reading.long(COUNT, [])).toEqual([{ n: 3 }]);
});
