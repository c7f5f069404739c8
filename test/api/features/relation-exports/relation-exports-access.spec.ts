import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { clientOf, createUser } from '../../../support/builders/user.js';
import { ExportWorld, type ExportBody } from '../../../support/export-world.js';
import { until } from '../../../support/until.js';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterAll(() => world.close());

const ROUTES = ['/export_relations/status', '/export_relations', '/export_relations/download?relation=self'];

it('only Maintainers can export projects, and only Owners can export groups', async () => {
  const { api, root } = world;
  const group = await buildGroup(api);
  const project = await buildProject(root, { namespace_id: group.id });
  const [developer, maintainer, owner] = [
    await createUser(api),
    await createUser(api),
    await createUser(api),
  ];
  await buildMember(api, `projects/${project.id}`, developer.id, Role.Developer);
  await buildMember(api, `groups/${group.id}`, maintainer.id, Role.Maintainer);
  await buildMember(api, `groups/${group.id}`, owner.id, Role.Owner);
  const stranger = await createUser(api);
  const statuses = async (place: string): Promise<number[]> => {
    const clients = [api.anonymous, stranger.client, developer.client, maintainer.client, owner.client];
    const answers = await Promise.all(clients.map((client) => client.post(`${place}/export_relations`)));
    return answers.map(({ status }) => status);
  };
  expect(await statuses(`/projects/${project.id}`)).toEqual([401, 404, 403, 202, 202]);
  expect(await statuses(`/groups/${group.id}`)).toEqual([401, 404, 404, 403, 202]);
  for (const route of ROUTES) {
    const { status } = await developer.client.get(`/projects/${project.id}${route}`);
    expect([route, status]).toEqual([route, 403]);
  }
  const reading = await clientOf(api, maintainer.id, ['read_api']);
  expect((await reading.post(`/projects/${project.id}/export_relations`)).status).toBe(403);
  expect((await reading.get(`/projects/${project.id}/export_relations/status`)).status).toBe(200);
});

it('each user has separate exports, and cannot see those of others', async () => {
  const { api, root } = world;
  const [one, other] = [await buildProject(root), await buildProject(root)];
  const maintainer = await createUser(api);
  await buildMember(api, `projects/${one.id}`, maintainer.id, Role.Maintainer);
  await world.begin(`projects/${one.id}`);
  await world.ended(`projects/${one.id}`);
  expect((await maintainer.client.get(`/projects/${one.id}/export_relations/status`)).body).toEqual([]);
  const theirs = await maintainer.client.get(`/projects/${one.id}/export_relations/download?relation=self`);
  expect([theirs.status, theirs.body]).toEqual([404, { message: '404 Export Not Found' }]);
  const elsewhere = await root.get(`/projects/${other.id}/export_relations/download?relation=self`);
  expect([elsewhere.status, elsewhere.body]).toEqual([404, { message: '404 Export Not Found' }]);
});

it('exports are not available while migrations are disabled, and pending ones fail', async () => {
  const { id } = await buildProject(world.root);
  const place = `projects/${id}`;
  await world.root.put('/application/settings', { bulk_import_enabled: false });
  try {
    for (const route of ROUTES) {
      const { status, body } = await world.root.get(`/${place}${route}`);
      expect([status, body]).toEqual([404, { message: '404 Not Found' }]);
    }
    expect((await world.root.post(`/${place}/export_relations`)).status).toBe(404);
  } finally {
    await world.root.put('/application/settings', { bulk_import_enabled: true });
  }
});

it('an administrator exports a project of others, also if admin mode is required', async () => {
  const { api, root } = world;
  const place = `projects/${(await buildProject(root)).id}`;
  const admin = await createUser(api);
  await root.put(`/users/${admin.id}`, { admin: true });
  await root.put('/application/settings', { admin_mode: true });
  try {
    const entered = await clientOf(api, admin.id, ['api', 'admin_mode']);
    await world.begin(place, false, entered);
    const exports = await world.ended(place, entered);
    expect(exports.filter(({ status }) => status !== 1)).toEqual([]);
  } finally {
    await root.put('/application/settings', { admin_mode: false });
  }
});

it('an export fails if the user has lost the right meanwhile', async () => {
  const { api, root } = world;
  const { id } = await buildProject(root);
  const user = await createUser(api);
  await buildMember(api, `projects/${id}`, user.id, Role.Maintainer);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  world.few.beforePage = () => held;
  await world.begin(`projects/${id}`, false, user.client);
  await api.sql('delete from members where user_id = $1', [user.id]);
  await api.sql(
    `update relation_exports set status = 'pending' where user_id = $1 and relation <> 'test_few'`,
    [user.id],
  );
  await api.sql(
    `insert into background_jobs (queue, name, payload) select 'relation-exports', 'relation-exports.write',
       jsonb_build_object('exportId', id) from relation_exports where user_id = $1 and relation = 'labels'`,
    [user.id],
  );
  await until(async () => {
    const rows = await api.sql<{ status: string; error: string }>(
      `select status, error from relation_exports where user_id = $1 and relation = 'labels'`,
      [user.id],
    );
    return rows[0]?.status === 'failed' && rows[0].error === 'The user may no longer export the project';
  });
  release();
  world.few.beforePage = () => undefined;
});

it('an export is deleted with its project while it is being written', async () => {
  const { api, root } = world;
  const { id } = await buildProject(root);
  world.many.rows.set(
    id,
    Array.from({ length: 3_000 }, (_, index) => JSON.stringify({ index })),
  );
  let reached = false;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  world.many.beforePage = (afterId) => {
    reached ||= afterId >= 1_000;
    return afterId >= 1_000 ? held : undefined;
  };
  await world.begin(`projects/${id}`, true);
  await until(() => reached);
  await root.delete(`/projects/${id}`);
  await until(async () => (await api.sql('select 1 from projects where id = $1', [id])).length === 0);
  release();
  world.many.beforePage = () => undefined;
  await until(
    async () =>
      (await api.sql(`select 1 from background_jobs where name = 'relation-exports.write'`)).length === 0,
  );
  expect(await api.sql('select 1 from relation_exports where project_id = $1', [id])).toEqual([]);
  expect(
    await api.sql(
      `select 1 from object_claims where due_at > now() and object_key like 'relation-exports/%'`,
    ),
  ).toEqual([]);
});

it('starting the same exports is rate-limited', async () => {
  const user = await createUser(world.api);
  const [one, other] = [await buildProject(user.client), await buildProject(user.client)];
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1)
    statuses.push((await user.client.post(`/projects/${one.id}/export_relations`)).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 429]);
  const refused = await user.client.post(`/projects/${one.id}/export_relations`);
  expect(refused.body).toEqual({ message: '429 Too Many Requests' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await user.client.post(`/projects/${other.id}/export_relations`)).status).toBe(202);
});

it('downloads report errors', async () => {
  const { id } = await buildProject(world.root);
  const group = await buildGroup(world.api);
  const place = `projects/${id}`;
  world.many.rows.set(id, ['{}']);
  await world.begin(place, true);
  await world.ended(place);
  await world.begin(`groups/${group.id}`);
  await world.ended(`groups/${group.id}`);
  const download = async (query: string, where = place): Promise<unknown> => {
    const { status, body } = await world.root.get<{ message: unknown }>(
      `/${where}/export_relations/download${query}`,
    );
    return [status, body.message];
  };
  const many = '?relation=test_many';
  const together = { base: ['provide all or none of parameters: batched, batch_number'] };
  expect(await download('')).toEqual([400, '400 (Bad request) "relation" not given']);
  expect(await download('?relation=nothing')).toEqual([400, { relation: ['does not have a valid value'] }]);
  expect(await download('?relation=nothing', `groups/${group.id}`)).toEqual([404, '404 Export Not Found']);
  expect(await download('?relation[]=self')).toEqual([400, { relation: ['is invalid'] }]);
  expect(await download('?search_params[relation][]=self')).toEqual([400, expect.anything()]);
  expect(await download(many)).toEqual([400, 'Export is batched']);
  expect(await download('?relation=self&batched=true&batch_number=1')).toEqual([
    400,
    'Export is not batched',
  ]);
  expect(await download(`${many}&batched=true`)).toEqual([400, together]);
  expect(await download(`${many}&batch_number=1`)).toEqual([400, together]);
  expect(await download(`${many}&batched=true&batch_number=2`)).toEqual([404, '404 Batch Not Found']);
  expect(await download(`${many}&batched=true&batch_number=9007199254740991`)).toEqual([
    404,
    '404 Batch Not Found',
  ]);
  for (const number of ['99999999999999999999', 'x', '1.5', '%00'])
    expect(await download(`${many}&batched=true&batch_number=${number}`)).toEqual([400, expect.anything()]);
  expect(await download(`${many}&batched=true&batch_number[]=1`)).toEqual([400, expect.anything()]);
  expect(await download(`?relation=${encodeURIComponent('../self')}`)).toEqual([
    400,
    { relation: ['does not have a valid value'] },
  ]);
  const status = await world.root.get<ExportBody>(`/${place}/export_relations/status?relation=nothing`);
  expect([status.status, status.body]).toEqual([404, { message: '404 Export Not Found' }]);
  expect((await world.root.get(`/${place}/export_relations/status?relation[]=self`)).status).toBe(400);
  expect((await world.root.post(`/${place}/export_relations`, { batched: ['true'] })).status).toBe(400);
});

it('exports accept the token as v4 destinations send it, in the query of any call', async () => {
  const { id } = await buildProject(world.root);
  const token = 'private_token=glpat-root-token-of-tests-0001';
  const started = await world.api.anonymous.post(`/projects/${id}/export_relations?batched=true&${token}`);
  expect(started.status).toBe(202);
  const path = `/projects/${id}/export_relations/status?${token}&page=1&per_page=30`;
  expect((await world.api.anonymous.get(path)).status).toBe(200);
  expect((await world.api.anonymous.get(`/version?${token}`)).body).toMatchObject({ version: '16.5.0' });
});
