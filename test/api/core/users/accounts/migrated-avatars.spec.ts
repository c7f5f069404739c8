import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../../support/api.js';
import { sendAvatar } from '../../../../support/avatars.js';
import { migrateHere, type MigratedHere } from '../../../../support/bulk-imports/migrate-here.js';
import { scriptGroup } from '../../../../support/bulk-imports/script-group.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildProject } from '../../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { FakeSource, type FakeAnswer } from '../../../../support/fake-source.js';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

let api: TestApi;
let mover: CreatedUser;
beforeAll(async () => {
  api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
  await api.root.put('/application/settings', { bulk_import_rate_limit: 0 });
  mover = await createUser(api);
});
afterAll(() => api.close());

const shown = async (path: string): Promise<unknown[]> => {
  const { status, text, headers } = await mover.client.get(path);
  return [status, text, headers.get('content-type')];
};

it('avatars are imported with their groups and projects', async () => {
  const top = await buildGroup(api, { path: 'pictures', visibility: 'private' });
  await buildGroup(api, { path: 'plain', parent_id: top.id });
  const project = await buildProject(api.root, {
    namespace_id: top.id,
    path: 'painted',
    visibility: 'private',
  });
  await sendAvatar(api.root, 'PUT', `/groups/${top.id}`);
  await sendAvatar(api.root, 'PUT', `/projects/${project.id}`, { content: 'GIF87a of the project' });
  const wanted = { source_full_path: 'pictures', destination_slug: 'copies' };
  const { failures, relations } = await migrateHere(api, mover.client, wanted, api.url);
  expect([failures, relations]).toEqual([[], []]);
  expect(await shown('/groups/copies/avatar')).toEqual([200, 'GIF89a;', 'image/gif']);
  expect(await shown('/projects/copies%2Fpainted/avatar')).toEqual([
    200,
    'GIF87a of the project',
    'image/gif',
  ]);
  expect((await shown('/groups/copies%2Fplain/avatar'))[0]).toBe(404);
  const { body } = await mover.client.get<{ avatar_url: string }>('/projects/copies%2Fpainted');
  expect(body.avatar_url).toMatch(/\/uploads\/-\/system\/project\/avatar\/\d+\/avatar\.gif$/);
});

describe('avatars of a source that', () => {
  let source: FakeSource;
  beforeEach(async () => {
    source = await FakeSource.start();
    scriptGroup(source);
  });
  afterEach(() => source.stop());

  let groups = 0;
  const migrate = async (answer: FakeAnswer): Promise<MigratedHere & { readonly slug: string }> => {
    source.on('GET /api/v4/groups/7/avatar', answer);
    const slug = `from-${(groups += 1)}`;
    const wanted = { source_full_path: 'old', destination_slug: slug };
    return { ...(await migrateHere(api, mover.client, wanted, source.url)), slug };
  };
  const left = 'select count(*)::int as count from avatars';

  it('declares another type are served by their content', async () => {
    const { slug } = await migrate({ headers: { 'Content-Type': 'text/html' }, body: PNG });
    const { headers, status } = await mover.client.get(`/groups/${slug}/avatar`);
    expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      200,
      'image/png',
      'nosniff',
    ]);
    expect(source.seen.find(({ path }) => path.endsWith('/avatar'))?.query.size).toBe(0);
  });

  it.each([
    ['sends something else', '<svg onload="alert(1)"/>', /^The avatar file format is not supported/],
    ['sends nothing', '', /^The avatar file format is not supported/],
    [
      'sends large ones',
      Buffer.concat([PNG, Buffer.alloc(200 * 1024)]),
      'The avatar is too big (should be at most 200 KiB)',
    ],
    [
      'sends more than the limit',
      Buffer.concat([PNG, Buffer.alloc(3 * 1024 ** 2)]),
      'The response is too large',
    ],
  ])('%s are skipped without affecting others', async (_, body, message) => {
    const before = await api.sql(left);
    const { entities, relations, failures, slug } = await migrate({ body });
    expect([entities.map(({ status }) => status), relations]).toEqual([['finished'], []]);
    expect(failures).toEqual([
      { relation: 'avatar', exception_class: expect.any(String), exception_message: expect.anything() },
    ]);
    expect((failures[0] as { exception_message: string }).exception_message).toMatch(message);
    expect((await mover.client.get(`/groups/${slug}/avatar`)).status).toBe(404);
    expect(await api.sql(left)).toEqual(before);
  });

  it('refuses them fail without affecting others', async () => {
    const { entities, relations, failures } = await migrate({ status: 403, body: {} });
    expect(entities.map(({ status }) => status)).toEqual(['finished']);
    expect(relations).toEqual([{ source_full_path: 'old', relation: 'avatar', status: 'failed' }]);
    expect(failures).toHaveLength(1);
  });
});
