import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { createUser } from '../../../support/builders/user.js';
import { longestOwnStop } from '../../../support/longest-stop.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('variables as text have the limits of a body, and do not hold up other requests', async () => {
  const { client } = await createUser(api);
  const ask = async (variables: string): Promise<number> =>
    (await client.post('/api/graphql', { query: '{ __typename }', variables })).status;
  const many = `{${Array.from({ length: 500_000 }, (_, at) => `"${at.toString(36)}a":1`).join(',')}}`;
  const stop = await longestOwnStop(400, async () => expect(await ask(many)).toBe(422));
  expect(stop).toBeLessThan(400);
  expect(await ask(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)).toBe(400);
  expect(await ask('{"a":')).toBe(400);
  expect(await ask('{"a":{"b":[1,2]}}')).toBe(200);
});
