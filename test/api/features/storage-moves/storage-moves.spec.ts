import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { projectRepository, snippetRepository, wikiRepository } from '#core/repositories/repository-ref.js';
import { ROOT_TOKEN } from '../../../support/api.js';
import type { ApiClient } from '../../../support/client.js';
import { createUser } from '../../../support/builders/user.js';
import { StorageWorld, type MoveBody } from '../../../support/storage-world.js';
import { until } from '../../../support/until.js';

const KINDS = ['project', 'snippet', 'group'] as const;

let world: StorageWorld;
let root: ApiClient;
let stranger: ApiClient;
let ids: Record<(typeof KINDS)[number], number>;

beforeAll(async () => {
  world = await StorageWorld.start();
  ({ root } = world.api);
  stranger = (await createUser(world.api)).client;
  const group = await root.post<{ id: number }>('/groups', { name: 'Crew', path: 'crew' });
  const [snippet] = await world.api.sql<{ id: number }>(
    `insert into snippets (author_id, title, visibility) values (1, 'Notes', 'private') returning id`,
  );
  ids = { project: await world.project('base'), group: group.body.id, snippet: snippet?.id ?? 0 };
});
afterAll(() => world.close());
afterEach(() => world.watchSteps(() => undefined));

const moved = async (kind: string, id: number): Promise<MoveBody> => {
  const path = `/${kind}_repository_storage_moves/${id}`;
  await until(async () => /finished|failed/.test((await root.get<MoveBody>(path)).body.state));
  return (await root.get<MoveBody>(path)).body;
};

describe.each(KINDS)('moves of a %s', (kind) => {
  const all = `/${kind}_repository_storage_moves`;
  const own = (): string => `/${kind}s/${ids[kind]}/repository_storage_moves`;

  it('are only for administrators', async () => {
    for (const path of [all, `${all}/1`, `${all}/1/events`, own(), `${own()}/1`]) {
      expect((await world.api.anonymous.get(path)).status).toBe(401);
      expect((await stranger.get(path)).body).toEqual({ message: '403 Forbidden' });
    }
    const names = { source_storage_name: 'default', destination_storage_name: 'second' };
    for (const path of [all, own()]) {
      expect((await world.api.anonymous.post(path, names)).status).toBe(401);
      expect((await stranger.post(path, names)).status).toBe(403);
    }
  });

  it('are scheduled individually, shown, and listed newest first', async () => {
    const release = world.holdMoves();
    const { status, body } = await root.post<MoveBody>(own(), {
      source_storage_name: 'ignored',
      destination_storage_name: 'second',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: 'scheduled',
      source_storage_name: 'default',
      destination_storage_name: 'second',
      error_message: null,
      digest: null,
      progress: { repositories_done: 0, repositories_total: 0, bytes_done: 0, bytes_total: 0 },
      [kind]: { id: ids[kind] },
    });
    const again = await root.post(own(), { destination_storage_name: 'second' });
    expect([again.status, again.body]).toEqual([400, { message: { [kind]: ['is read-only'] } }]);
    release();
    expect((await moved(kind, body.id)).state).toBe('finished');
    const back = await root.post<MoveBody>(own(), { destination_storage_name: '' });
    expect(back.body).toMatchObject({
      source_storage_name: 'second',
      destination_storage_name: 'default',
    });
    await moved(kind, back.body.id);
    const list = await root.get<MoveBody[]>(`${own()}?per_page=1`);
    expect(list.body.map(({ id }) => id)).toEqual([back.body.id]);
    expect(list.headers.get('x-next-page')).toBe('2');
    const keyset = await root.get<MoveBody[]>(`${all}?pagination=keyset&order_by=id&sort=desc&per_page=100`);
    expect(keyset.body.map(({ id }) => id)).toEqual([back.body.id, body.id]);
    expect((await root.get<MoveBody>(`${own()}/${body.id}`)).body.id).toBe(body.id);
  });

  it('are not found under another kind', async () => {
    const [move] = (await root.get<MoveBody[]>(own())).body;
    const others = KINDS.filter((one) => one !== kind);
    for (const other of others) {
      expect((await root.get(`/${other}_repository_storage_moves/${move?.id}`)).body).toEqual({
        message: '404 Repository Storage Move Not Found',
      });
      expect((await root.get(`/${other}s/${ids[other]}/repository_storage_moves/${move?.id}`)).status).toBe(
        404,
      );
    }
    const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    for (const unknown of ['999999', 'no%2Fwhere', '0', '-1', '99999999999999999999']) {
      const path = `/${kind}s/${unknown}/repository_storage_moves`;
      expect((await root.get(path)).body).toEqual({ message: `404 ${title} Not Found` });
      expect((await root.post(path, {})).status).toBe(404);
    }
    expect((await root.get(`${all}/999999/events`)).status).toBe(404);
  });

  it.each([
    [{ destination_storage_name: 'nowhere' }, 'destination_storage_name', 'is not included in the list'],
    [{ destination_storage_name: '../default' }, 'destination_storage_name', 'is not included in the list'],
    [{ destination_storage_name: '__proto__' }, 'destination_storage_name', 'is not included in the list'],
    [{ destination_storage_name: 'default' }, 'destination_storage_name', 'must not be the source storage'],
    [{}, 'destination_storage_name', 'cannot be chosen: no other storage has a weight'],
    [{ destination_storage_name: ['second'] }, 'destination_storage_name', 'is invalid'],
  ])('refuse %j', async (params, name, text) => {
    const { status, body } = await root.post(own(), params);
    expect([status, body]).toEqual([400, { message: { [name]: [text] } }]);
  });

  it.each([
    [{}, '400 (Bad request) "source_storage_name" not given'],
    [{ source_storage_name: 'default' }, '400 (Bad request) "destination_storage_name" not given'],
    [
      { source_storage_name: 'a/../b', destination_storage_name: 'nowhere' },
      {
        source_storage_name: ['does not have a valid value'],
        destination_storage_name: ['does not have a valid value'],
      },
    ],
    [
      { source_storage_name: 'second', destination_storage_name: 'second' },
      { destination_storage_name: ['must not be the source storage'] },
    ],
    [
      { source_storage_name: { a: 1 }, destination_storage_name: 'second' },
      { source_storage_name: ['is invalid'] },
    ],
  ])('refuse a bulk move with %j', async (params, message) => {
    const { status, body } = await root.post(all, params);
    expect([status, body]).toEqual([400, { message }]);
  });
});

it('a project is read-only until its move is over', async () => {
  const id = await world.project('held');
  await world.fill(projectRepository(id));
  const release = world.holdMoves();
  const move = await world.schedule(id);
  const text = 'The repository is temporarily read-only. Please try again later.';
  const commit = {
    branch: 'main',
    commit_message: 'Change',
    actions: [{ action: 'create', file_path: 'new.txt', content: 'new' }],
  };
  const path = `/projects/${id}/repository/commits`;
  const refused = await root.post(path, commit);
  expect([refused.status, refused.body]).toEqual([400, { message: text }]);
  const git = async (service: string): Promise<Response> =>
    fetch(`${world.api.url}/root/held.git/info/refs?service=git-${service}`, {
      headers: { Authorization: `Basic ${Buffer.from(`root:${ROOT_TOKEN}`).toString('base64')}` },
    });
  const push = await git('receive-pack');
  expect([push.status, await push.text()]).toEqual([403, text]);
  expect((await git('upload-pack')).status).toBe(200);
  expect((await root.put(`/projects/${id}`, { description: 'Still there' })).status).toBe(200);
  release();
  await world.ended(move.id);
  expect((await root.post(path, commit)).status).toBe(201);
  expect((await git('receive-pack')).status).toBe(200);
});

it('moves of groups need premium', async () => {
  await root.put('/application/settings', { license_plan: 'free' });
  const answers = [
    await root.get('/group_repository_storage_moves'),
    await root.post(`/groups/${ids.group}/repository_storage_moves`, {}),
    await root.get('/project_repository_storage_moves'),
  ];
  await root.put('/application/settings', { license_plan: 'ultimate' });
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 200]);
});

it('moves are found by the path of their project or group, and show it', async () => {
  const ofProject = (await root.get<MoveBody[]>('/projects/root%2Fbase/repository_storage_moves')).body[0];
  expect(ofProject?.['project']).toMatchObject({
    path_with_namespace: 'root/base',
    name_with_namespace: 'Administrator / base',
  });
  const ofGroup = (await root.get<MoveBody[]>('/groups/crew/repository_storage_moves')).body[0];
  expect(ofGroup?.['group']).toEqual({
    id: ids.group,
    name: 'Crew',
    web_url: 'http://forgeplane.test/groups/crew',
  });
  const ofSnippet = (await root.get<MoveBody[]>('/snippet_repository_storage_moves')).body[0];
  expect(ofSnippet?.['snippet']).toMatchObject({
    title: 'Notes',
    web_url: `http://forgeplane.test/-/snippets/${ids.snippet}`,
    http_url_to_repo: `http://forgeplane.test/snippets/${ids.snippet}.git`,
  });
});

it('moves include the wiki of a group and the repository of a snippet', async () => {
  await world.fill(wikiRepository('Group', ids.group), snippetRepository(ids.snippet));
  for (const [kind, count] of [
    ['group', 1],
    ['snippet', 1],
  ] as const) {
    const { body } = await root.post<MoveBody>(`/${kind}s/${ids[kind]}/repository_storage_moves`, {
      destination_storage_name: 'second',
    });
    expect(await moved(kind, body.id)).toMatchObject({
      state: 'finished',
      progress: { repositories_total: count },
    });
  }
  expect((await root.get(`/groups/${ids.group}`)).body['repository_storage']).toBe('second');
});

it('changing the storage of a project as an administrator moves it, and is audited', async () => {
  const id = await world.project('wanted');
  const { body } = await root.put(`/projects/${id}`, { repository_storage: 'second' });
  expect(body['repository_storage']).toBe('default');
  await until(async () => (await world.placeOf(id)).storage === 'second');
  const [event] = await world.api.sql<{ details: object }>(
    `select details from audit_events where entity_type = 'Project' and entity_id = $1 order by id desc limit 1`,
    [id],
  );
  expect(event?.details).toMatchObject({ change: 'repository_storage', from: 'default', to: 'second' });
});
