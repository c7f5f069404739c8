import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { borrowApi } from '../../../support/shared-api.js';
import type { TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser } from '../../../support/builders/user.js';
import { askRefs } from '../../../support/git-http.js';

const PASSWORD = 'open sesame 4711';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

it('passwords that are guessed at once are throttled like those that are guessed one after another', async () => {
  const project = await buildProject(api.root, { visibility: 'private' });
  const user = await createUser(api, { password: PASSWORD, force_random_password: false });
  const ask = async (login: string, password: string): Promise<number> =>
    (await askRefs(api, `/${project.path_with_namespace}.git`, 'upload', [login, password])).status;
  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => ask(`nobody-${index}`, 'a guess')),
  );
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  expect(await ask(user.username, PASSWORD)).toBe(429);
});

it('correct passwords that are sent at once are all accepted', async () => {
  await api.root.put('/application/settings', { throttle_protected_paths_requests_per_period: 1_000 });
  const user = await createUser(api, { password: PASSWORD, force_random_password: false });
  const { body: project } = await user.client.post('/projects', { name: 'own', visibility: 'private' });
  const path = `/${String(project['path_with_namespace'])}.git`;
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => askRefs(api, path, 'upload', [user.username, PASSWORD])),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(200));
});
