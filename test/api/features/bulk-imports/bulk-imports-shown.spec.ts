import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, startApi } from '../../../support/api.js';
import { clientOf, createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { until } from '../../../support/until.js';
import { OWNED_ENTITY, startOwnSource, type OwnSource } from '../../../support/bulk-imports/own-source.js';

// The service is its own source here: what is migrated is in test/processes/clients/migrations.spec.ts.
let world: OwnSource;

/** Every route of one import. */
const ROUTES = (entityId: number): readonly (readonly ['get' | 'post', string])[] => [
  ['get', ''],
  ['get', '/entities'],
  ['get', `/entities/${entityId}`],
  ['get', `/entities/${entityId}/failures`],
  ['get', '/progress'],
  ['get', '/events'],
  ['post', '/cancel'],
  ['post', `/entities/${entityId}/resume`],
];

beforeAll(async () => {
  world = await startOwnSource();
});
afterAll(() => world.api.close());
beforeEach(() =>
  world.api.root.put('/application/settings', { bulk_import_rate_limit: 0, bulk_import_enabled: true }),
);

const post = (
  entities: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ status: number; body: { id: number; message: unknown }; headers: Headers }> =>
  world.api.root.post('/bulk_imports', { configuration: world.configuration, entities, ...more });

describe('an import', () => {
  let id: number;
  let entityId: number;

  it('is stored with a sealed token, and carried out', async () => {
    const { status, body } = await post([{ ...OWNED_ENTITY, migrate_projects: false }]);
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: expect.any(Number), source_type: 'gitlab', source_url: world.api.url, canceled: false },
        ...{ created_at: expect.any(String), updated_at: expect.any(String), has_failures: false },
        status: expect.stringMatching(/^(created|started)$/),
      },
    ]);
    ({ id } = body);
    await until(
      async () => (await world.api.root.get(`/bulk_imports/${id}`)).body['status'] === 'finished',
      60_000,
    );
    const [row] = await world.api.sql<{ text: string }>(
      'select bulk_imports::text as text from bulk_imports',
    );
    expect(row?.text).not.toContain(ROOT_TOKEN);
    expect((await world.api.root.get('/groups/copy')).status).toBe(200);
  });

  it('is listed, with its entities in both formats', async () => {
    const list = await world.api.root.get<{ id: number }[]>('/bulk_imports?status=finished&sort=asc');
    expect(list.body.map((one) => one.id)).toEqual([id]);
    expect((await world.api.root.get<unknown[]>('/bulk_imports?status=failed')).body).toEqual([]);
    const short = await world.api.root.get<{ id: number }[]>(`/bulk_imports/${id}/entities`);
    entityId = short.body[0]?.id ?? 0;
    const inShort = {
      ...{ id: entityId, status: 'finished', source_type: 'gitlab', canceled: false },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    };
    expect(short.body).toEqual([inShort]);
    expect((await world.api.root.get(`/bulk_imports/${id}/entities/${entityId}`)).body).toEqual(inShort);
    const full = await world.api.root.get<unknown[]>('/bulk_imports/entities');
    expect(full.body).toEqual([
      {
        ...inShort,
        ...{
          bulk_import_id: id,
          entity_type: 'group',
          source_full_path: 'owned',
          parent_id: null,
          project_id: null,
        },
        ...{ destination_full_path: 'copy', destination_name: 'copy', destination_slug: 'copy' },
        ...{ destination_namespace: '', namespace_id: expect.any(Number), migrate_projects: false },
        ...{ migrate_memberships: true, has_failures: false, failures: [] },
      },
    ]);
  });

  it('is hidden from others', async () => {
    for (const [method, path] of ROUTES(entityId)) {
      const { status, body } = await world.someone.client[method](`/bulk_imports/${id}${path}`);
      expect([path, status, body]).toEqual([path, 404, { message: '404 Bulk Import Not Found' }]);
      const unknown = await world.someone.client[method](`/bulk_imports/${id + 1000}${path}`);
      expect([unknown.status, unknown.body]).toEqual([status, body]);
    }
    expect((await world.someone.client.get('/bulk_imports')).body).toEqual([]);
    expect((await world.someone.client.get('/bulk_imports/entities')).body).toEqual([]);
    expect((await world.api.root.post(`/bulk_imports/${id + 1}/cancel`)).status).toBe(404);
    expect((await world.api.root.get(`/bulk_imports/${id}/entities/${entityId + 1}`)).body).toEqual({
      message: '404 Bulk Import Entity Not Found',
    });
    expect((await world.api.anonymous.get(`/bulk_imports/${id}`)).status).toBe(401);
  });

  describe('for administrators', () => {
    let admin: CreatedUser;
    beforeAll(async () => {
      admin = await createUser(world.api, { admin: true });
    });
    afterAll(() => world.api.root.put('/application/settings', { admin_mode: false }));

    const statuses = async (client: ApiClient): Promise<number[]> => {
      const found: number[] = [];
      for (const [method, path] of ROUTES(entityId))
        found.push((await client[method](`/bulk_imports/${id}${path}`)).status);
      return found;
    };

    it('is found by its id, but not in their own lists', async () => {
      // There are no failures that could be resumed.
      expect(await statuses(admin.client)).toEqual([200, 200, 200, 200, 200, 200, 200, 409]);
      expect((await admin.client.get('/bulk_imports')).body).toEqual([]);
      expect((await admin.client.get('/bulk_imports/entities')).body).toEqual([]);
    });

    it('is found only in admin mode, if that is required', async () => {
      await world.api.root.put('/application/settings', { admin_mode: true });
      expect(await statuses(admin.client)).toEqual(Array(8).fill(404));
      const entered = await clientOf(world.api, admin.id, ['api', 'admin_mode']);
      expect(await statuses(entered)).toEqual([200, 200, 200, 200, 200, 200, 200, 409]);
    });
  });

  it('can be neither canceled nor resumed after it has finished', async () => {
    const cancelled = await world.api.root.post(`/bulk_imports/${id}/cancel`);
    expect([cancelled.status, cancelled.body['status'], cancelled.body['canceled']]).toEqual([
      200,
      'finished',
      false,
    ]);
    const resumed = await world.api.root.post(`/bulk_imports/${id}/entities/${entityId}/resume`);
    expect([resumed.status, resumed.body['message']]).toEqual([
      409,
      'Only an entity that has failed, or relations of it, can be resumed',
    ]);
  });

  it('streams its progress until it ends', async () => {
    const { text, headers } = await world.api.root.get(`/bulk_imports/${id}/events`);
    expect(headers.get('content-type')).toBe('text/event-stream');
    const [data, end] = text.trim().split('\n\n');
    expect(JSON.parse(data?.slice('data: '.length) ?? '')).toEqual(
      (await world.api.root.get(`/bulk_imports/${id}/progress`)).body,
    );
    expect(end).toBe('event: end\ndata: finished');
  });
});

it('migrations per minute are limited, including refused requests', async () => {
  await world.api.root.put('/application/settings', { bulk_import_rate_limit: 3 });
  const request = {
    configuration: world.configuration,
    entities: [{ ...OWNED_ENTITY, destination_namespace: 'taken' }],
  };
  const answers = [];
  // Anonymous requests are not counted.
  for (const client of [world.api.anonymous, world.api.anonymous, world.someone.client])
    answers.push((await client.post('/bulk_imports', {})).status);
  for (let n = 0; n < 3; n += 1)
    answers.push((await world.someone.client.post('/bulk_imports', request)).status);
  answers.push((await world.someone.client.post('/bulk_imports', {})).status);
  expect(answers).toEqual([401, 401, 400, 422, 422, 429, 429]);
  const { headers } = await world.someone.client.post('/bulk_imports', request);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

it('unfinished migrations per user are limited, even with simultaneous requests', async () => {
  await world.api.root.put('/application/settings', { bulk_import_rate_limit: 0, bulk_import_open_limit: 1 });
  await world.api.sql('delete from bulk_imports where user_id = $1', [world.someone.id]);
  const request = (slug: string): object => ({
    configuration: world.configuration,
    entities: [{ ...OWNED_ENTITY, destination_slug: slug }],
  });
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((slug) => world.someone.client.post('/bulk_imports', request(slug))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect([refused?.headers.get('retry-after'), refused?.headers.get('ratelimit-name')]).toEqual([
    '60',
    'bulk_import_open',
  ]);
  const stored = 'select count(*)::int as count from bulk_imports where user_id = $1';
  expect(await world.api.sql(stored, [world.someone.id])).toEqual([{ count: 1 }]);
  // Other users have their own limit.
  expect((await world.api.root.post('/bulk_imports', request('d'))).status).toBe(201);
});

it('migrations do not exist when they are disabled', async () => {
  await world.api.root.put('/application/settings', { bulk_import_enabled: false });
  for (const answer of [
    await world.api.root.get('/bulk_imports'),
    await world.api.root.get('/bulk_imports/entities'),
    await post([OWNED_ENTITY]),
  ])
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Not Found' }]);
});

it('a migration reaches no address of the local network unless that is allowed', async () => {
  const strict = await startApi({ DATABASE_URL: world.api.databaseUrl });
  try {
    for (const url of [
      'http://127.0.0.1:1',
      'http://[::1]:80',
      'http://169.254.169.254',
      'http://10.0.0.1',
      'http://0x7f.1',
    ]) {
      const { status, body } = await strict.root.post('/bulk_imports', {
        configuration: { url, access_token: 'x' },
        entities: [OWNED_ENTITY],
      });
      expect([url, status, body['message']]).toEqual([url, 422, expect.stringMatching(/^URL is blocked: /)]);
    }
  } finally {
    await strict.close();
  }
});
