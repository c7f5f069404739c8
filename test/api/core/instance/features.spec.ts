import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import {
  addGroup,
  addProject,
  addUser,
  auditChanges,
  type AddedUser,
} from '../../../support/builders/instance.js';
import { borrowApi } from '../../../support/shared-api.js';

const FLAG = 'api_redirect_moved_projects';

describe('feature flags', () => {
  let api: TestApi;
  let mona: AddedUser;
  let groupId: number;
  let projectId: number;
  beforeAll(async () => {
    api = await borrowApi();
    mona = await addUser(api, 'Mona');
    groupId = await addGroup(api, 'Crew');
    projectId = await addProject(api, groupId, 'Crew/ship');
    await api.sql(
      `insert into routes (path, source_type, source_id, redirect) values ('crew/boat', 'Project', $1, true)`,
      [projectId],
    );
  });
  afterAll(() => api.close());

  const set = (name: string, body: unknown): Promise<Answer<Record<string, unknown>>> =>
    api.root.post(`/features/${name}`, body);

  it('are visible to administrators only', async () => {
    for (const [method, path] of [
      ['GET', '/features'],
      ['GET', '/features/definitions'],
      ['POST', `/features/${FLAG}?value=true`],
      ['DELETE', `/features/${FLAG}`],
    ] as const) {
      expect((await api.anonymous.send(method, path)).status).toBe(401);
      expect((await api.as(mona.token).send(method, path)).status).toBe(403);
    }
  });

  it('are not set at first, but listed by definition', async () => {
    expect((await api.root.get('/features')).body).toEqual([]);
    const { body } = await api.root.get('/features/definitions');
    expect(body).toMatchObject([{ name: FLAG, default_enabled: false }]);
  });

  it('are switched on and off', async () => {
    const on = await set(FLAG, { value: true });
    expect(on.status).toBe(201);
    expect(on.body).toMatchObject({
      name: FLAG,
      state: 'on',
      gates: [{ key: 'boolean', value: true }],
      definition: { name: FLAG },
    });
    expect((await api.root.get('/features')).body).toEqual([on.body]);
    const off = await set(FLAG, { value: 'false' });
    expect(off.body).toMatchObject({ state: 'off', gates: [{ key: 'boolean', value: false }] });
  });

  it('accept percentages of time and of actors', async () => {
    const time = await set(FLAG, { value: 25 });
    expect(time.body).toMatchObject({
      state: 'conditional',
      gates: [
        { key: 'boolean', value: false },
        { key: 'percentage_of_time', value: 25 },
      ],
    });
    const actors = await set(FLAG, { value: '50', key: 'percentage_of_actors' });
    expect(actors.body).toMatchObject({
      gates: [{ value: false }, { value: 25 }, { key: 'percentage_of_actors', value: 50 }],
    });
    expect((await set(FLAG, { value: 100 })).body).toMatchObject({ state: 'on' });
    expect((await set(FLAG, { value: 'false' })).body).toMatchObject({
      state: 'off',
      gates: [{ value: false }],
    });
  });

  it('can be set for users, groups, projects and feature groups', async () => {
    const settings = api.app.get(SettingsService);
    const targets = {
      user: 'mona, root',
      group: 'crew',
      namespace: 'root',
      project: 'crew/ship',
      repository: 'crew/ship.git',
    };
    const { body } = await set(FLAG, { value: true, feature_group: 'administrators', ...targets });
    const [, actors, groups] = body['gates'] as { key: string; value: string[] }[];
    expect(body['state']).toBe('conditional');
    expect(actors?.value.sort()).toEqual(
      [
        `Group:${groupId}`,
        'Namespace:1',
        `Project:${projectId}`,
        `Repository:${projectId}`,
        'User:1',
        `User:${mona.id}`,
      ].sort(),
    );
    expect(groups).toEqual({ key: 'groups', value: ['administrators'] });
    expect(settings.isEnabled(FLAG)).toBe(false);
    expect(settings.isEnabled(FLAG, `User:${mona.id}`)).toBe(true);
    const fewer = await set(FLAG, { value: false, ...targets, user: 'root' });
    expect(fewer.body['gates']).toMatchObject([{}, { key: 'actors', value: [`User:${mona.id}`] }, {}]);
    await set(FLAG, { value: false });
  });

  it('take effect with the next request, also for a single project', async () => {
    const moved = '/projects/crew%2fboat/audit_events?page=2';
    expect((await api.root.get(moved)).status).toBe(200);
    await set(FLAG, { value: true, project: 'crew/ship' });
    const answer = await api.root.get(moved);
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toBe(
      `http://forgeplane.test/api/v4/projects/${projectId}/audit_events?page=2`,
    );
    expect((await api.as(mona.token).get(moved)).status).toBe(404);
    await set(FLAG, { value: false, project: 'crew/ship' });
    expect((await api.root.get(moved)).status).toBe(200);
  });

  it.each([
    [{}, '400 (Bad request) "value" not given'],
    [{ value: 'maybe' }, { value: ['is invalid'] }],
    [{ value: 101 }, { value: ['is invalid'] }],
    [{ value: 50, user: 'mona' }, { value: ['does not have a valid value'] }],
    [
      { value: true, key: 'percentage_of_time', user: 'mona' },
      { key: ['cannot be used together with single targets'] },
    ],
    [{ value: 5, key: 'percentage_of_cats' }, { key: ['does not have a valid value'] }],
    [{ value: true, user: 'mona,nobody' }, '400 Bad request - nobody is not found!'],
    [{ value: true, project: 'crew/sunk' }, '400 Bad request - crew/sunk is not found!'],
  ])('refuse %j', async (body, message) => {
    const answer = await set(FLAG, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message });
  });

  it('are refused if they are unknown, unless forced', async () => {
    const refused = await set('my_flag', { value: true });
    expect(refused.status).toBe(400);
    const forced = await set('my_flag', { value: true, force: true });
    expect(forced.body).toMatchObject({ name: 'my_flag', state: 'on', definition: null });
    expect((await api.root.delete('/features/my_flag')).status).toBe(204);
    expect((await api.root.delete('/features/my_flag')).status).toBe(204);
    expect((await api.root.get<{ name: string }[]>('/features')).body.map(({ name }) => name)).toEqual([
      FLAG,
    ]);
  });

  it('lose no target of simultaneous requests', async () => {
    const users = await Promise.all([1, 2, 3, 4].map((index) => addUser(api, `racer${index}`)));
    await Promise.all(users.map(({ username }) => set(FLAG, { value: true, user: username })));
    const { body } = await api.root.get<{ gates: { value: string[] }[] }[]>('/features');
    expect(body[0]?.gates[1]?.value).toEqual(users.map(({ id }) => `User:${id}`).sort());
  });

  it('are audited', async () => {
    await api.root.delete(`/features/${FLAG}`);
    const changes = await auditChanges(api, 'FeatureFlag');
    expect(changes[0]).toEqual({
      change: 'gates',
      from: [],
      to: [{ key: 'boolean', value: true }],
      author_name: 'Administrator',
    });
    expect(changes.at(-1)).toEqual({ remove: 'feature flag', author_name: 'Administrator' });
  });
});
