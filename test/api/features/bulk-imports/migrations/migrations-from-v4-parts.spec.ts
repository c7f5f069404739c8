import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ImportLimits } from '#features/bulk-imports/engine/import-limits.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../../support/builders/group.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { ADA, v4Content } from '../../../../support/v4-server/v4-content.js';
import { hurry, migrateFrom } from '../../../../support/v4-server/v4-migration.js';
import { makeRepositories, type V4Repositories } from '../../../../support/v4-server/v4-repositories.js';
import { V4Server } from '../../../../support/v4-server/v4-server.js';
import { V4_VERSIONS, type V4Version } from '../../../../support/v4-server/v4-version.js';

// Parts of an existing v4 server, and servers from which nothing can be imported.
let api: TestApi;
let repositories: V4Repositories;
let mover: CreatedUser;
let group: BuiltGroup;

beforeAll(async () => {
  api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
  hurry(api);
  await api.root.put('/application/settings', { bulk_import_rate_limit: 0 });
  repositories = await makeRepositories();
  await createUser(api, { email: ADA.toLowerCase(), skip_confirmation: true });
  mover = await createUser(api);
  group = await buildGroup(api, {}, mover.client);
});
afterAll(async () => {
  await api.close();
  repositories.remove();
});

async function withSource<T>(version: V4Version, use: (source: V4Server) => Promise<T>): Promise<T> {
  const source = await V4Server.start(version, (url) => v4Content(version, repositories, url));
  try {
    return await use(source);
  } finally {
    await source.stop();
  }
}

it('imports a project without its parent groups: their objects become its own', async () => {
  const wanted = { source_type: 'project_entity', source_full_path: 'acme/web', destination_slug: 'web' };
  const ended = await withSource(V4_VERSIONS.v16, (source) =>
    migrateFrom(api, source, mover.client, { ...wanted, destination_namespace: group.path }),
  );
  expect(ended.status).toBe('finished');
  expect(ended.failures.map(({ relation, exception_message: message }) => [relation, message])).toEqual(
    expect.arrayContaining([['issues', 'Epic &1 "Great" is not among the epics of the groups above']]),
  );
  expect(ended.failures).toHaveLength(2);
  const get = async (path: string): Promise<unknown> =>
    (await mover.client.get<unknown>(`/projects/${group.path}%2Fweb${path}`)).body;
  expect(await get('/labels')).toMatchObject([
    { name: 'bug', is_project_label: true },
    { name: 'team::a', is_project_label: true, color: '#5CB85C' },
  ]);
  const milestones = (await get('/milestones')) as { iid: number; title: string; group_id?: number }[];
  expect(milestones.map(({ iid, title }) => [iid, title]).sort()).toEqual([
    [4, 'Sprint 1'],
    [5, 'Year'],
  ]);
  expect(await get('/issues/1')).toMatchObject({ labels: ['bug', 'team::a'], milestone: { title: 'Year' } });
});

it('does not wait for relations that the server never exports', async () => {
  const limits = api.app.get(ImportLimits, { strict: false });
  const { emptyExtensionMs } = limits;
  limits.emptyExtensionMs = 10 * 60_000;
  try {
    for (const [slug, version] of Object.entries(V4_VERSIONS)) {
      const wanted = { source_type: 'project_entity', source_full_path: 'acme/web', destination_slug: slug };
      const ended = await withSource(version, (source) =>
        migrateFrom(api, source, mover.client, { ...wanted, destination_namespace: group.path }),
      );
      expect(ended.status).toBe('finished');
      expect(ended.relations).toEqual(
        ['deployments', 'environments', 'freeze_periods', 'protected_environments'].map((relation) => ({
          relation,
          status: 'skipped',
        })),
      );
    }
  } finally {
    limits.emptyExtensionMs = emptyExtensionMs;
  }
});

it('omits projects and members on request', async () => {
  const ended = await withSource(V4_VERSIONS.v15, (source) =>
    migrateFrom(api, source, mover.client, {
      ...{ source_full_path: 'acme', destination_slug: 'bare' },
      ...{ migrate_projects: false, migrate_memberships: false },
    }),
  );
  expect(ended.entities.map(({ source_full_path: path }) => path)).toEqual(['acme', 'acme/tools']);
  expect(ended.failures).toEqual([]);
  expect((await mover.client.get('/groups/bare/members')).body).toMatchObject([{ id: mover.id }]);
});

it('refuses servers that are too old, other paths, and tokens that may not export', async () => {
  const asked = async (version: V4Version, over: object = {}, path = 'acme'): Promise<unknown> =>
    withSource(version, async (source) => {
      const { status, body } = await mover.client.post<{ message: string }>('/bulk_imports', {
        configuration: { url: source.url, access_token: source.token, ...over },
        entities: [
          {
            ...{ source_type: 'group_entity', source_full_path: path },
            ...{ destination_namespace: '', destination_slug: 'never' },
          },
        ],
      });
      return [status, body.message];
    });
  const { v14, v15, v16 } = V4_VERSIONS;
  expect(await asked({ ...v14, version: '13.12.15' })).toEqual([
    422,
    "Unsupported version of the source instance. Minimum supported version is '14'.",
  ]);
  for (const version of [v14, v15, v16])
    expect(await asked(version, { access_token: 'wrong' })).toEqual([
      422,
      expect.stringMatching(/^Check that the source instance base URL and the personal access token/),
    ]);
  expect(await asked(v15, {}, 'nobody')).toEqual([422, "Import failed. 'nobody' not found."]);
  // A server that can say what a token may do must say that it may do it.
  expect(await asked({ ...v14, version: '15.5.0' })).toEqual([422, expect.stringMatching(/^Check that/)]);
});
