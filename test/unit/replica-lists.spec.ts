import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join('src', name), 'utf8') }));

/** Imports of a statement that decides about permissions: it knows its caller, or the members. */
const DECIDES = /from '#(kernel\/access\/caller|core\/members\/)/;

it('lists that a replica may answer come from queries that do not depend on the caller', () => {
  const lists = sources.filter(({ text }) => /\)\s*\.fromReplica\(\)/.test(text));
  expect(lists.length).toBeGreaterThan(5);
  expect(lists.filter(({ text }) => DECIDES.test(text)).map(({ name }) => name)).toEqual([]);
  // The lists of projects show that a query that depends on the caller is recognized.
  expect(sources.filter(({ text }) => DECIDES.test(text)).map(({ name }) => name)).toContain(
    join('core', 'projects', 'lists', 'project-list.queries.ts'),
  );
});
