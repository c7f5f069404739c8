import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { basic, buildApplication, buildPair, inBody, postForm } from '../../../support/builders/oauth.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildProject } from '../../../support/builders/project.js';
import { askRefs, postPack, type Login } from '../../../support/git-http.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const allow = (requests: number): Promise<Answer> =>
  api.root.put('/application/settings', {
    throttle_unauthenticated_web_enabled: true,
    throttle_unauthenticated_web_requests_per_period: requests,
    throttle_unauthenticated_web_period_in_seconds: 600,
  });

type Asked = Promise<{ readonly status: number }>;

async function statusesOf(asks: Readonly<Record<string, () => Asked>>): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [name, ask] of Object.entries(asks)) statuses[name] = (await ask()).status;
  return statuses;
}

it('git and OAuth clients are counted as anonymous only if they are refused', async () => {
  const user = await addUser(api, 'gitta');
  const client = await buildApplication(api);
  const pair = await buildPair(api, client, user.id);
  const other = await buildPair(api, client, user.id);
  const { path_with_namespace: path } = await buildProject(api.root, { visibility: 'private' });
  const open = await buildProject(api.root, { visibility: 'public' });
  const root: Login = ['root', ROOT_TOKEN];
  const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
  const introspect = (secret: string) => (): Asked =>
    postForm(api, '/oauth/introspect', { token: pair.access }, basic(client.uid, secret));
  const info = (token: string) => (): Asked => api.anonymous.get('/oauth/token/info', bearer(token));
  const refresh = (refresh_token: string) => (): Asked =>
    postForm(api, '/oauth/token', { grant_type: 'refresh_token', refresh_token, ...inBody(client) });
  const revoke = (token: string, values: object) => (): Asked =>
    postForm(api, '/oauth/revoke', { token, ...values });
  const refs =
    (login: Login | null, end = '.git') =>
    (): Asked =>
      askRefs(api, `/${path}${end}`, 'upload', login);
  const guess: Login = ['root', 'glpat-guessed-guessed-guessed'];

  await allow(2);
  const accepted = {
    introspect: introspect(client.secret),
    info: info(pair.access),
    refresh: refresh(other.refresh),
    'unknown to a client': revoke('guessed', inBody(client)),
    refs: refs(root),
    'no such project': () => askRefs(api, '/no/such.git', 'upload', root),
  };
  const ok = { introspect: 200, info: 200, refresh: 200, 'unknown to a client': 200, refs: 200 };
  expect(await statusesOf(accepted)).toEqual({ ...ok, 'no such project': 404 });
  expect(await statusesOf({ secret: introspect('wrong'), token: refs(guess) })).toEqual({
    secret: 401,
    token: 401,
  });
  const refused = {
    introspect: introspect('wrong'),
    info: info('guessed'),
    refresh: refresh('guessed'),
    revoke: revoke('guessed', {}),
    'revoke as': revoke('guessed', { client_id: client.uid, client_secret: 'wrong' }),
    keys: () => api.anonymous.get('/oauth/discovery/keys', bearer('guessed')),
    refs: refs(guess),
    'no credentials': refs(null),
    'no scheme': () =>
      askRefs(api, `/${open.path_with_namespace}.git`, 'upload', null, { Authorization: 'Basic-ally' }),
    redirect: refs(guess, ''),
    'no repository': () => postPack(api, `/${path}`, 'upload', '0000', guess),
  };
  expect(new Set(Object.values(await statusesOf(refused)))).toEqual(new Set([429]));
  expect(await statusesOf({ introspect: introspect(client.secret), refs: refs(root) })).toEqual({
    introspect: 200,
    refs: 200,
  });
});
