import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { buildToken } from '../../../support/builders/token.js';
import { addSecondFactor } from '../../../support/builders/second-factor.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { askRefs, type GitReply, type Login } from '../../../support/git-http.js';

const DENIED = 'HTTP Basic: Access denied.';
const PASSWORD = 'open sesame 4711';

let api: TestApi;
let group: BuiltGroup;
let project: BuiltProject;
let developer: CreatedUser;

beforeAll(async () => {
  api = await startApi();
  group = await buildGroup(api);
  project = await buildProject(api.root, { namespace_id: group.id });
  developer = await addDeveloper();
  await api.root.put('/application/settings', { throttle_protected_paths_enabled: false });
});
afterAll(() => api.close());

async function addDeveloper(): Promise<CreatedUser> {
  const user = await createUser(api, { password: PASSWORD, force_random_password: false });
  await buildMember(api, `groups/${group.id}`, user.id, 30);
  return user;
}

const fetchAs = (login: Login | null, path = project.path_with_namespace): Promise<GitReply> =>
  askRefs(api, `/${path}.git`, 'upload', login);
const pushAs = (login: Login | null, path = project.path_with_namespace): Promise<GitReply> =>
  askRefs(api, `/${path}.git`, 'receive', login);

/** Status of a fetch and of a push. */
const both = async (login: Login, path?: string): Promise<number[]> => [
  (await fetchAs(login, path)).status,
  (await pushAs(login, path)).status,
];

async function expectDenied(login: Login | null): Promise<void> {
  for (const answer of [await fetchAs(login), await pushAs(login), await fetchAs(login, 'nobody/nothing')]) {
    expect([login, answer.status, answer.type]).toEqual([login, 401, 'text/plain; charset=utf-8']);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Forgeplane"');
    expect(answer.text.startsWith(DENIED)).toBe(true);
  }
}

describe('account passwords for git over HTTP', () => {
  it('allow fetches and pushes, by username or email address', async () => {
    expect(await both([developer.username, PASSWORD])).toEqual([200, 200]);
    expect(await both([`${developer.username}@example.com`, PASSWORD])).toEqual([200, 200]);
  });

  it('are refused if they are turned off, or if two-factor authentication is required', async () => {
    for (const values of [
      { password_authentication_enabled_for_git: false },
      { require_two_factor_authentication: true },
    ]) {
      await api.root.put('/application/settings', values);
      await expectDenied([developer.username, PASSWORD]);
    }
    const back = { password_authentication_enabled_for_git: true, require_two_factor_authentication: false };
    await api.root.put('/application/settings', back);
    const careful = await addDeveloper();
    await addSecondFactor(api, careful.id);
    await expectDenied([careful.username, PASSWORD]);
  });

  it('lock the account if they are guessed', async () => {
    const user = await addDeveloper();
    for (let tries = 0; tries < 10; tries += 1)
      expect((await fetchAs([user.username, `guess ${tries}`])).status).toBe(401);
    await expectDenied([user.username, PASSWORD]);
    expect(await both(['x', (await buildToken(api, user.id)).token])).toEqual([200, 200]);
  });

  it('are rate-limited by address if they are wrong; correct ones are not counted', async () => {
    const user = await addDeveloper();
    await api.root.put('/application/settings', {
      throttle_protected_paths_enabled: true,
      throttle_protected_paths_requests_per_period: 3,
    });
    for (let times = 0; times < 5; times += 1)
      expect((await fetchAs([user.username, PASSWORD])).status).toBe(200);
    const seen: number[] = [];
    for (let times = 0; times < 5; times += 1)
      seen.push((await fetchAs([`nobody-${times}`, 'guess'])).status);
    expect(seen.slice(-2)).toEqual([429, 429]);
    const throttled = await fetchAs([user.username, PASSWORD]);
    expect([throttled.status, Number(throttled.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await both(['x', (await buildToken(api, user.id)).token])).toEqual([200, 200]);
  });
});
