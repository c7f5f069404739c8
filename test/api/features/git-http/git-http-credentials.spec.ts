import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildApplication, buildPair } from '../../../support/builders/oauth.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { buildImpersonationToken, buildResourceToken, buildToken } from '../../../support/builders/token.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { JobTokensPort } from '#core/repositories/job-tokens.port.js';
import { askRefs, type GitReply, type Login } from '../../../support/git-http.js';

const DENIED = 'HTTP Basic: Access denied.';
const PASSWORD = 'open sesame 4711';

let api: TestApi;
let group: BuiltGroup;
let project: BuiltProject;
let other: BuiltProject;
let developer: CreatedUser;

beforeAll(async () => {
  api = await startApi();
  group = await buildGroup(api);
  project = await buildProject(api.root, { namespace_id: group.id });
  other = await buildProject(api.root);
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

const failures = async (userId: number): Promise<number> =>
  (await api.sql<{ failed_attempts: number }>('select failed_attempts from users where id = $1', [userId]))[0]
    ?.failed_attempts ?? -1;

describe('without credentials', () => {
  it('the existence of projects is not revealed, and nothing is counted', async () => {
    await expectDenied(null);
    for (const path of [
      'x',
      'nobody/nothing.wiki',
      'snippets/1',
      'a/b/snippets/1',
      '../../etc/passwd',
      'a%2Fb/c',
    ])
      expect([path, (await fetchAs(null, path)).status]).toEqual([path, 401]);
    expect(await failures(developer.id)).toBe(0);
  });

  it('tokens in other places are ignored', async () => {
    const { token } = await buildToken(api, developer.id);
    const path = `/${project.path_with_namespace}.git`;
    const headers = [
      { 'PRIVATE-TOKEN': token },
      { Authorization: `Bearer ${token}` },
      { 'JOB-TOKEN': token },
    ];
    for (const header of headers) expect((await askRefs(api, path, 'upload', null, header)).status).toBe(401);
  });
});

describe('access tokens', () => {
  it('are limited by their scopes, with any user name', async () => {
    const expected: Record<string, number[]> = {
      api: [200, 200],
      write_repository: [200, 200],
      read_repository: [200, 403],
      read_api: [200, 403],
      read_user: [403, 403],
    };
    for (const [scope, statuses] of Object.entries(expected)) {
      const { token } = await buildToken(api, developer.id, { scopes: [scope] });
      expect([scope, await both(['anything', token])]).toEqual([scope, statuses]);
      expect([scope, await both([developer.username, token])]).toEqual([scope, statuses]);
      // Values that tools send which know only the token of a job.
      expect([scope, await both(['gitlab-ci-token', token])]).toEqual([scope, statuses]);
    }
    const { token } = await buildToken(api, developer.id, { scopes: ['read_repository'] });
    expect((await pushAs(['x', token])).text).toBe('You are not allowed to upload code.');
    const idle = await buildToken(api, developer.id, { scopes: ['read_user'] });
    expect((await fetchAs(['x', idle.token])).text).toBe('You are not allowed to download code.');
  });

  it('need a user name, and are not accepted as the user name', async () => {
    const { token } = await buildToken(api, developer.id);
    await expectDenied(['', token]);
    await expectDenied([token, '']);
    await expectDenied([token, 'x-oauth-basic']);
  });

  it('are refused once revoked or expired, and do not count as wrong passwords', async () => {
    const revoked = await buildToken(api, developer.id);
    await api.root.delete(`/personal_access_tokens/${revoked.id}`);
    const expired = await buildToken(api, developer.id);
    await api.sql(`update personal_access_tokens set expires_at = current_date - 1 where id = $1`, [
      expired.id,
    ]);
    for (const secret of [revoked.token, expired.token, `glpat-${'x'.repeat(20)}`, 'f'.repeat(64)])
      await expectDenied([developer.username, secret]);
    expect(await failures(developer.id)).toBe(0);
  });

  it('may belong to projects and groups', async () => {
    const ofProject = await buildResourceToken(api.root, `projects/${project.id}`, {
      scopes: ['write_repository'],
      access_level: 30,
    });
    expect(await both(['bot', ofProject.token])).toEqual([200, 200]);
    expect(await both(['bot', ofProject.token], other.path_with_namespace)).toEqual([404, 404]);
    const ofGroup = await buildResourceToken(api.root, `groups/${group.id}`, {
      scopes: ['read_repository'],
      access_level: 20,
    });
    expect(await both(['bot', ofGroup.token])).toEqual([200, 403]);
  });

  it('may be impersonation tokens, if those are allowed', async () => {
    const { token } = await buildImpersonationToken(api, developer.id);
    expect(await both(['x', token])).toEqual([200, 200]);
    await api.root.put('/application/settings', { impersonation_enabled: false });
    await expectDenied(['x', token]);
    await api.root.put('/application/settings', { impersonation_enabled: true });
  });

  it('of an administrator bring their rights in admin mode only with the scope for it', async () => {
    const { token } = await buildToken(api, 1);
    const withMode = await buildToken(api, 1, { scopes: ['api', 'admin_mode'] });
    const theirs = await buildProject(developer.client);
    expect(await both(['x', token], theirs.path_with_namespace)).toEqual([200, 200]);
    await api.root.put('/application/settings', { admin_mode: true });
    expect(await both(['x', token], theirs.path_with_namespace)).toEqual([404, 404]);
    expect(await both(['x', withMode.token], theirs.path_with_namespace)).toEqual([200, 200]);
    await api.as(withMode.token).put('/application/settings', { admin_mode: false });
  });

  it('record when they were used', async () => {
    const { id, token } = await buildToken(api, developer.id);
    await fetchAs(['x', token]);
    let used: unknown = null;
    for (let tries = 0; used === null && tries < 50; tries += 1)
      [{ last_used_at: used } = { last_used_at: null }] = await api.sql<{ last_used_at: unknown }>(
        'select last_used_at from personal_access_tokens where id = $1',
        [id],
      );
    expect(used).not.toBeNull();
  });
});

describe('owners who may not act', () => {
  it.each(['block', 'deactivate', 'ban'])('are denied: %s', async (action) => {
    const user = await addDeveloper();
    const { token } = await buildToken(api, user.id);
    expect(await both(['x', token])).toEqual([200, 200]);
    expect((await api.root.post(`/users/${user.id}/${action}`)).status).toBe(201);
    await expectDenied(['x', token]);
    await expectDenied([user.username, PASSWORD]);
  });
});

describe('OAuth tokens', () => {
  it('come with the user name oauth2, or any other', async () => {
    const application = await buildApplication(api, {
      scopes: ['api', 'read_repository', 'write_repository', 'openid'],
    });
    const expected = {
      api: [200, 200],
      write_repository: [200, 200],
      read_repository: [200, 403],
      openid: [403, 403],
    };
    for (const [scope, statuses] of Object.entries(expected)) {
      const pair = await buildPair(api, application, developer.id, [scope as 'api']);
      expect([scope, await both(['oauth2', pair.access])]).toEqual([scope, statuses]);
      expect([scope, await both(['somebody', pair.access])]).toEqual([scope, statuses]);
      expect([scope, await both(['gitlab-ci-token', pair.access])]).toEqual([scope, statuses]);
      await expectDenied(['', pair.access]);
      await expectDenied(['oauth2', pair.refresh]);
    }
    const { token } = await buildToken(api, developer.id);
    expect(await both(['oauth2', token])).toEqual([200, 200]);
    await expectDenied(['oauth2', PASSWORD]);
  });
});

describe('deploy tokens', () => {
  const make = async (
    place: string,
    scopes: string[],
  ): Promise<{ id: number; username: string; token: string }> =>
    (
      await api.root.post<{ id: number; username: string; token: string }>(`/${place}/deploy_tokens`, {
        name: 'd',
        scopes,
      })
    ).body;

  it('fetch from their project or group, under their own user name', async () => {
    const ofProject = await make(`projects/${project.id}`, ['read_repository']);
    expect(await both([ofProject.username, ofProject.token])).toEqual([200, 403]);
    expect((await pushAs([ofProject.username, ofProject.token])).text).toBe(
      'You are not allowed to upload code.',
    );
    expect(await both([ofProject.username, ofProject.token], other.path_with_namespace)).toEqual([404, 403]);
    await expectDenied(['gitlab+deploy-token-0', ofProject.token]);
    await expectDenied([developer.username, ofProject.token]);
    const ofGroup = await make(`groups/${group.id}`, ['read_repository']);
    expect(await both([ofGroup.username, ofGroup.token])).toEqual([200, 403]);
    const registry = await make(`projects/${project.id}`, ['read_registry']);
    expect(await both([registry.username, registry.token])).toEqual([403, 403]);
    await api.root.delete(`/projects/${project.id}/deploy_tokens/${ofProject.id}`);
    await expectDenied([ofProject.username, ofProject.token]);
  });

  it('give access to public projects, but not to internal ones', async () => {
    const { username, token } = await make(`projects/${project.id}`, ['read_repository']);
    const open = await buildProject(api.root, { visibility: 'public' });
    const internal = await buildProject(api.root, { visibility: 'internal' });
    expect((await fetchAs([username, token], open.path_with_namespace)).status).toBe(200);
    expect((await fetchAs([username, token], internal.path_with_namespace)).status).toBe(404);
    await api.sql('update deploy_tokens set expires_at = now() where username = $1', [username]);
    await expectDenied([username, token]);
  });
});

describe('job tokens', () => {
  it('are invalid while their job does not run', async () => {
    await expectDenied(['gitlab-ci-token', 'glcbt-whatever']);
    await expectDenied(['gitlab-ci-token', PASSWORD]);
  });

  it('fetch with the rights of their user, within the scope of their job', async () => {
    const jobs = api.app.get(JobTokensPort, { strict: false });
    const job = { userId: developer.id, reaches: (id: number) => id === project.id };
    jobs.find = (token) => Promise.resolve(token === 'running' ? job : null);
    for (const name of ['gitlab-ci-token', 'oauth2', developer.username])
      expect([name, await both([name, 'running'])]).toEqual([name, [200, 403]]);
    const own = await buildProject(developer.client);
    expect(await both(['gitlab-ci-token', 'running'], own.path_with_namespace)).toEqual([404, 403]);
    const open = await buildProject(api.root, { visibility: 'public' });
    expect((await fetchAs(['gitlab-ci-token', 'running'], open.path_with_namespace)).status).toBe(200);
    await expectDenied(['gitlab-ci-token', 'ended']);
    jobs.find = () => Promise.resolve(null);
  });
});
