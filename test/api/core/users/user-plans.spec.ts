import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_OPTIONS, type ReadDatabase } from '#kernel/database/reads/read-database.js';
import { prepareValue } from '#kernel/libraries/pg-inside.js';
import { NamespaceListQueries } from '#core/groups/namespaces/namespace-list.queries.js';
import { UsersQueries } from '#core/users/lists/users.queries.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { RowsRead } from '../../../support/rows-read.js';

const MANY = 20_000;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url, options: PLANNER_OPTIONS });
  await client.connect();
  await client.query(
    `insert into users (username, name, email) select format('person%s', n), 'Person', format('person%s@example.com', n) from generate_series(1, $1::int) n`,
    [MANY],
  );
  await client.query(
    `insert into routes (path, source_type, source_id) select format('place%s', n), 'Namespace', n from generate_series(1, $1::int) n`,
    [MANY],
  );
  await client.query('analyze users, routes');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** With plans that do not depend on the values, as on the connections of the service. */
const reading = (read: RowsRead): ReadDatabase => {
  const query = async (text: string, values: readonly unknown[]): Promise<object[]> => {
    await client.query(`prepare asked as ${text}`);
    const given = values.map((value) => client.escapeLiteral(String(prepareValue(value))));
    await read.query(`execute asked(${given.join(', ')})`, []);
    await client.query('deallocate asked');
    return [];
  };
  const one = async (text: string, values: readonly unknown[]): Promise<object> =>
    (await query(text, values))[0] ?? { id: 1 };
  return { short: query, one } as unknown as ReadDatabase;
};

it.each(['7', 'Person7'])('whose lists are read is found without reading other users: %s', async (name) => {
  const read = new RowsRead(client, 'users');
  await new UsersQueries(reading(read)).findOwner(name);
  expect(read.count).toBeLessThan(10);
});

it('a path is looked up without reading other paths', async () => {
  const read = new RowsRead(client, 'routes');
  await new NamespaceListQueries(reading(read)).taken('place', undefined);
  expect(read.count).toBeLessThan(200);
});
