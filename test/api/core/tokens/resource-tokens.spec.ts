import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import {
  addGroup,
  addMember,
  addProject,
  addToken,
  addUser,
  type AddedUser,
} from '../../../support/builders/instance.js';
import { buildResourceToken, type BuiltResourceToken } from '../../../support/builders/token.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let groupId: number;
let projectId: number;
let otherProject: number;
let maintainer: AddedUser;
let groupOwner: AddedUser;
let developer: AddedUser;
let stranger: AddedUser;
beforeAll(async () => {
  api = await borrowApi();
  groupId = await addGroup(api, 'team');
  projectId = await addProject(api, groupId, 'team/app');
  otherProject = await addProject(api, await addGroup(api, 'elsewhere'), 'elsewhere/app');
  maintainer = await addUser(api, 'maintainer');
  groupOwner = await addUser(api, 'group-owner');
  developer = await addUser(api, 'developer');
  stranger = await addUser(api, 'stranger');
  await addMember(api, 'Project', projectId, maintainer.id, 40);
  await addMember(api, 'Project', projectId, developer.id, 30);
  await addMember(api, 'Namespace', groupId, groupOwner.id, 50);
});
afterAll(() => api.close());

const botOf = async (userId: number): Promise<Record<string, unknown> | undefined> =>
  (await api.sql<Record<string, unknown>>('select * from users where id = $1', [userId]))[0];

describe('project access tokens', () => {
  const path = (): string => `/projects/${projectId}/access_tokens`;

  it('have a bot that is a member of the project', async () => {
    const answer = await api.as(maintainer.token).post<BuiltResourceToken>(path(), {
      name: 'release bot',
      scopes: ['api', 'read_repository'],
      access_level: 20,
      expires_at: '2999-01-31',
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: 'release bot',
      scopes: ['api', 'read_repository'],
      access_level: 20,
      active: true,
      revoked: false,
      expires_at: '2999-01-31',
      token: expect.stringMatching(/^glpat-[\w-]{20}$/),
    });
    const bot = await botOf(answer.body.user_id);
    expect(bot).toMatchObject({ name: 'release bot', user_type: 'project_bot', bot_source_id: projectId });
    expect(bot?.['username']).toMatch(new RegExp(`^project_${projectId}_bot_[0-9a-f]{32}$`));
    const members = await api.sql(
      'select source_type, source_id, access_level from members where user_id = $1',
      [answer.body.user_id],
    );
    expect(members).toEqual([{ source_type: 'Project', source_id: projectId, access_level: 20 }]);
    const own = await api.as(answer.body.token).get('/personal_access_tokens/self');
    expect(own.body['user_id']).toBe(answer.body.user_id);
    const [event] = await api.sql<Record<string, unknown>>(
      `select author_id, entity_type, entity_id, details->>'custom_message' as text from audit_events
       where details->>'target_id' = $1 and details->>'target_type' = 'PersonalAccessToken'`,
      [String(answer.body.id)],
    );
    expect(event).toEqual({
      author_id: maintainer.id,
      entity_type: 'Project',
      entity_id: projectId,
      text: `Created project access token with id ${answer.body.id}`,
    });
  });

  it('have the Maintainer role by default, and never a higher one than their creator', async () => {
    const client = api.as(maintainer.token);
    expect((await buildResourceToken(client, `projects/${projectId}`)).access_level).toBe(40);
    const refused = await client.post(path(), { name: 'x', scopes: ['api'], access_level: 50 });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        message:
          "400 Bad request - Access level of the token can't be greater the access level of the user who created the token",
      },
    ]);
    expect(
      (await buildResourceToken(api.root, `projects/${projectId}`, { access_level: 50 })).access_level,
    ).toBe(50);
  });

  it('are validated', async () => {
    const given = (body: object) => api.as(maintainer.token).post(path(), body);
    expect((await given({})).body).toEqual({ message: '400 (Bad request) "name" not given' });
    expect((await given({ name: 'x' })).body).toEqual({ message: '400 (Bad request) "scopes" not given' });
    const wrong = { name: 'x', scopes: ['sudo'], access_level: 15, expires_at: 'x' };
    expect((await given(wrong)).body).toEqual({
      message: {
        scopes: ['does not have a valid value'],
        access_level: ['does not have a valid value'],
        expires_at: ['is invalid'],
      },
    });
    expect((await given({ name: 'x', scopes: [] })).body).toEqual({ message: { scopes: ['is empty'] } });
  });

  it('are managed by Maintainers', async () => {
    const token = await buildResourceToken(api.as(maintainer.token), `projects/${projectId}`);
    const one = `${path()}/${token.id}`;
    const calls = [
      ['GET', path()],
      ['POST', path()],
      ['GET', one],
      ['DELETE', one],
      ['POST', `${one}/rotate`],
    ] as const;
    const body = { name: 'x', scopes: ['api'] };
    for (const [method, url] of calls) {
      const send = (secret: string) => api.as(secret).send(method, url, method === 'POST' ? body : undefined);
      expect([url, (await send(developer.token)).status]).toEqual([url, 403]);
      const hidden = await send(stranger.token);
      expect([hidden.status, hidden.body]).toEqual([404, { message: '404 Project Not Found' }]);
      const anonymous = await api.anonymous.send(method, url, method === 'POST' ? body : undefined);
      expect(anonymous.status).toBe(401);
    }
  });

  it('are listed and shown only in their project', async () => {
    const project = await addProject(api, groupId, 'team/listed');
    const place = `projects/${project}`;
    const first = await buildResourceToken(api.root, place, { access_level: 10 });
    const expired = await buildResourceToken(api.root, place, { expires_at: '2020-01-01' });
    const list = async (query = ''): Promise<number[]> =>
      (await api.root.get<{ id: number }[]>(`/${place}/access_tokens${query}`)).body.map(({ id }) => id);
    expect(await list()).toEqual([first.id, expired.id]);
    expect(await list('?state=active')).toEqual([first.id]);
    expect(await list('?state=inactive')).toEqual([expired.id]);
    expect(await list('?pagination=keyset&order_by=id&sort=desc')).toEqual([expired.id, first.id]);
    const shown = await api.root.get(`/${place}/access_tokens/${first.id}`);
    expect(shown.body).toMatchObject({ id: first.id, access_level: 10 });
    expect(shown.body).not.toHaveProperty('token');
    for (const id of [999_999, 1]) {
      const unknown = await api.root.get(`/${place}/access_tokens/${id}`);
      expect([unknown.status, unknown.body]).toEqual([
        404,
        { message: '404 Project Access Token Not Found' },
      ]);
    }
    expect((await api.root.get(`/projects/${projectId}/access_tokens/${first.id}`)).status).toBe(404);
    expect((await api.root.delete(`/projects/${projectId}/access_tokens/${first.id}`)).status).toBe(404);
  });

  it('give access to their project, and not to internal ones', async () => {
    const { token } = await buildResourceToken(api.as(maintainer.token), `projects/${projectId}`);
    const bot = api.as(token);
    expect((await bot.get(path())).status).toBe(200);
    expect((await bot.get(`/projects/${otherProject}/access_tokens`)).status).toBe(404);
    expect((await bot.get(`/groups/${groupId}/access_tokens`)).status).toBe(404);
    await api.sql(`update projects set visibility = 'internal' where id = $1`, [otherProject]);
    expect((await api.as(stranger.token).get(`/projects/${otherProject}/access_tokens`)).status).toBe(403);
    expect((await bot.get(`/projects/${otherProject}/access_tokens`)).status).toBe(404);
    await api.sql(`update projects set visibility = 'private' where id = $1`, [otherProject]);
  });

  it('have bots that cannot become members elsewhere', async () => {
    const { user_id: bot } = await buildResourceToken(api.as(maintainer.token), `projects/${projectId}`);
    const values = { user_id: bot, access_level: 30 };
    const answer = await api.root.post(`/projects/${otherProject}/members`, values);
    expect([answer.status, answer.body]).toEqual([404, { message: '404 User Not Found' }]);
  });

  it('are inaccessible to a demoted Maintainer from the next request on', async () => {
    const demoted = await addUser(api, 'demoted');
    await addMember(api, 'Project', projectId, demoted.id, 40);
    expect((await api.as(demoted.token).get(path())).status).toBe(200);
    await api.sql('update members set access_level = 30 where user_id = $1', [demoted.id]);
    expect((await api.as(demoted.token).get(path())).status).toBe(403);
    await api.sql('delete from members where user_id = $1', [demoted.id]);
    expect((await api.as(demoted.token).get(path())).status).toBe(404);
  });

  it('can neither create nor revoke tokens, but can rotate themselves', async () => {
    const token = await buildResourceToken(api.as(maintainer.token), `projects/${projectId}`);
    const other = await buildResourceToken(api.as(maintainer.token), `projects/${projectId}`);
    const bot = api.as(token.token);
    expect((await bot.post(path(), { name: 'x', scopes: ['api'] })).status).toBe(403);
    expect((await bot.delete(`${path()}/${other.id}`)).status).toBe(403);
    expect((await bot.post(`${path()}/${other.id}/rotate`)).status).toBe(403);
    const rotated = await bot.post<BuiltResourceToken>(`${path()}/${token.id}/rotate`);
    expect([rotated.status, rotated.body.access_level]).toEqual([200, 40]);
    expect((await bot.get('/version')).status).toBe(401);
  });

  it('keep the bot and its role when they are rotated', async () => {
    const client = api.as(maintainer.token);
    const token = await buildResourceToken(client, `projects/${projectId}`, { access_level: 30 });
    const answer = await client.post<BuiltResourceToken>(`${path()}/${token.id}/rotate`, {
      expires_at: '2999-05-05',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      user_id: token.user_id,
      access_level: 30,
      expires_at: '2999-05-05',
      name: 'bot',
    });
    expect((await api.as(token.token).get('/version')).status).toBe(401);
    expect((await api.as(answer.body.token).get('/version')).status).toBe(200);
    const again = await client.post(`${path()}/${token.id}/rotate`);
    expect([again.status, again.body]).toEqual([400, { message: '400 Bad request - Token already revoked' }]);
    expect((await api.as(answer.body.token).get('/version')).status).toBe(401);
    const high = await buildResourceToken(api.root, `projects/${projectId}`, { access_level: 50 });
    expect((await client.post(`${path()}/${high.id}/rotate`)).status).toBe(403);
  });

  it('are removed together with their bot', async () => {
    const client = api.as(maintainer.token);
    const token = await buildResourceToken(client, `projects/${projectId}`);
    const one = `${path()}/${token.id}`;
    await addToken(api, token.user_id, 'glpat-second-of-the-bot', ['api']);
    const early = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
    expect((await client.delete(one, early)).status).toBe(412);
    expect((await api.as(token.token).get(path())).status).toBe(200);
    expect((await client.delete(one)).status).toBe(204);
    for (const secret of [token.token, 'glpat-second-of-the-bot']) {
      expect((await api.as(secret).get(path())).status).toBe(401);
    }
    expect(await api.sql('select 1 from members where user_id = $1', [token.user_id])).toEqual([]);
    expect((await client.get(one)).status).toBe(404);
    expect((await client.delete(one)).status).toBe(404);
    await expectGone(token.user_id);
  });
});

describe('group access tokens', () => {
  const path = (): string => `/groups/${groupId}/access_tokens`;

  it('are managed by Owners, and give access to the projects of the group', async () => {
    const token = await buildResourceToken(api.as(groupOwner.token), `groups/${groupId}`);
    const bot = await botOf(token.user_id);
    expect(bot).toMatchObject({ user_type: 'group_bot', bot_source_type: 'Namespace' });
    expect(bot?.['username']).toMatch(new RegExp(`^group_${groupId}_bot_`));
    expect((await api.as(token.token).get(`/projects/${projectId}/access_tokens`)).status).toBe(200);
    expect((await api.as(token.token).get(`/projects/${otherProject}/access_tokens`)).status).toBe(404);
    await addMember(api, 'Namespace', groupId, stranger.id, 40);
    expect((await api.as(stranger.token).get(path())).status).toBe(403);
    await api.sql(`delete from members where user_id = $1`, [stranger.id]);
    expect((await api.as(stranger.token).get(path())).status).toBe(404);
    const unknown = await api.as(groupOwner.token).get(`${path()}/999999`);
    expect(unknown.body).toEqual({ message: '404 Group Access Token Not Found' });
  });

  it('are shown, rotated and removed', async () => {
    const client = api.as(groupOwner.token);
    const token = await buildResourceToken(client, `groups/${groupId}`, { access_level: 50 });
    expect((await client.get(`${path()}/${token.id}`)).body['access_level']).toBe(50);
    const rotated = await client.post<BuiltResourceToken>(`${path()}/${token.id}/rotate`);
    expect(rotated.body).toMatchObject({ access_level: 50, user_id: token.user_id });
    expect((await client.delete(`${path()}/${rotated.body.id}`)).status).toBe(204);
    expect((await api.as(rotated.body.token).get(path())).status).toBe(401);
  });
});

/** Waits until the job has removed a user. */
async function expectGone(userId: number): Promise<void> {
  for (let attempt = 0; attempt < 100 && (await botOf(userId)); attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await botOf(userId)).toBeUndefined();
}
