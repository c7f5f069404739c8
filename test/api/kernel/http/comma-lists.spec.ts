import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { longestOwnStop } from '../../../support/longest-stop.js';

const LIMIT_MS = 250;

let api: TestApi;
let project: number;
beforeAll(async () => {
  api = await startApi();
  project = (await buildProject(api.root)).id;
});
afterAll(() => api.close());

it.each([
  ['commas alone', 'tag_list', () => ','.repeat(9_000_000)],
  ['items', 'tag_list', () => 'ab,'.repeat(3_000_000)],
  ['items with blanks', 'tag_list', () => 'a , '.repeat(2_000_000)],
  ['a long list of texts with commas', 'labels', () => Array.from({ length: 40_000 }, () => ','.repeat(200))],
])('a text of ten mebibytes with %s is refused before it is split', async (_name, field, value) => {
  const body = JSON.stringify({ token: 'none', title: 'x', [field]: value() });
  const stop = await longestOwnStop(LIMIT_MS, async () => {
    const isAnonymous = field === 'tag_list';
    const client = isAnonymous ? api.anonymous : api.root;
    const path = isAnonymous ? '/runners' : `/projects/${project}/issues`;
    const answer = await client.send('POST', path, body, { 'Content-Type': 'application/json' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: { [field]: [expect.stringContaining('too many items')] } },
    ]);
  });
  expect(stop).toBeLessThan(LIMIT_MS);
});

it('blank items of a text are left out', async () => {
  const issue = { title: 'x', labels: [' a ,, b', 'c'] };
  const { body } = await api.root.post<{ labels: string[] }>(`/projects/${project}/issues`, issue);
  expect(body.labels).toEqual(['a', 'b', 'c']);
});
