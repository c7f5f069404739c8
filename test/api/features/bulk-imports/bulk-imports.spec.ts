import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OWNED_ENTITY, startOwnSource, type OwnSource } from '../../../support/bulk-imports/own-source.js';

// The service is its own source here: what is migrated is in test/processes/clients/migrations.spec.ts.
let world: OwnSource;
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

describe('parameters', () => {
  it.each([
    [{}, 'configuration'],
    [{ configuration: { access_token: 'x' }, entities: [] }, 'configuration[url]'],
    [{ configuration: { url: 'x' }, entities: [] }, 'configuration[access_token]'],
    [{ configuration: { url: 'x', access_token: 'x' } }, 'entities'],
    [{ configuration: { url: 'x', access_token: 'x' }, entities: [{}] }, 'entities[0][source_type]'],
  ])('that are missing are named: %j', async (body, name) => {
    const answer = await world.api.root.post('/bulk_imports', body);
    expect([answer.status, answer.body]).toEqual([400, { message: `400 (Bad request) "${name}" not given` }]);
  });

  it('require exactly one name for the destination', async () => {
    const none = await post([{ ...OWNED_ENTITY, destination_slug: undefined }]);
    expect([none.status, none.body.message]).toEqual([
      400,
      '400 (Bad request) "entities[0][destination_slug]" not given',
    ]);
    const two = await post([{ ...OWNED_ENTITY, destination_name: 'copy' }]);
    expect([two.status, two.body.message]).toEqual([
      400,
      { 'entities[0]': { destination_slug: ['is mutually exclusive with destination_name'] } },
    ]);
  });

  it.each([
    ['source_type', 'group', 'does not have a valid value'],
    [
      'source_full_path',
      'https://example.com/a',
      expect.stringMatching(/^must be a relative path and not include protocol/),
    ],
    ['destination_namespace', 'http://x/y', expect.stringMatching(/'destination\/full\/path' not 'https/)],
    ['destination_slug', 'a/b', expect.stringMatching(/^can only include non-accented letters/)],
    ['destination_slug', '-a', expect.stringMatching(/^can only include/)],
    ['destination_slug', 'a.git', expect.stringMatching(/^can only include/)],
    ['migrate_projects', 'perhaps', 'is invalid'],
    ['source_full_path', ['a'], 'is invalid'],
  ])('%s cannot be %j', async (name, value, text) => {
    const { status, body } = await post([{ ...OWNED_ENTITY, [name]: value }]);
    expect([status, body.message]).toEqual([400, { 'entities[0]': { [name]: [text] } }]);
  });

  it('require at least one entity', async () => {
    const { status, body } = await post([]);
    expect([status, body.message]).toEqual([400, { entities: ['is empty'] }]);
  });
});

describe('a source', () => {
  it.each([
    ['ftp://example.com', 'Only allowed schemes are http, https'],
    ['url', 'URL is blocked'],
    ['http://user:secret@example.com', 'URL is blocked'],
  ])('cannot be at %s', async (url, text) => {
    const { status, body } = await post([OWNED_ENTITY], { configuration: { url, access_token: 'x' } });
    expect([status, body.message]).toEqual([422, expect.stringContaining(text)]);
  });

  it('must accept the token, and be an instance', async () => {
    const wrong = await post([OWNED_ENTITY], {
      configuration: { url: world.api.url, access_token: 'glpat-wrong' },
    });
    expect([wrong.status, wrong.body.message]).toEqual([
      422,
      'Check that the source instance base URL and the personal access token meet the necessary requirements.',
    ]);
    const elsewhere = await post([OWNED_ENTITY], {
      configuration: { url: `${world.api.url}/nowhere`, access_token: 'x' },
    });
    expect([elsewhere.status, elsewhere.body.message]).toEqual([
      422,
      'Invalid source URL. Enter only the base URL of the source instance.',
    ]);
  });

  it('must contain the groups and projects to import', async () => {
    const { status, body } = await post([{ ...OWNED_ENTITY, source_full_path: 'nobody/nothing' }]);
    expect([status, body.message]).toEqual([422, "Import failed. 'nobody/nothing' not found."]);
  });
});

describe('a destination', () => {
  it.each([
    [
      { destination_slug: 'taken' },
      "Import failed. 'taken' already exists. Change the destination and try again.",
    ],
    [
      { destination_namespace: 'no/where' },
      "Import failed. Destination 'no/where' is invalid, or you don't have permission.",
    ],
    [
      { source_type: 'project_entity', source_full_path: 'owned/p' },
      "Validation failed: Destination namespace can't be blank",
    ],
    [
      { destination_namespace: 'owned' },
      'Import failed: Destination cannot be a subgroup of the source group. Change the destination and try again.',
    ],
    [{ destination_slug: 'api' }, 'Import failed. Destination URL api is a reserved name'],
  ])('is checked: %j', async (change, text) => {
    await world.api.sql(
      `insert into projects (namespace_id, creator_id, name, path, full_path, full_name, visibility, repository_storage)
      select $1, 1, 'p', 'p', 'owned/p', 'owned / p', 'private', 'default' where not exists (select 1 from projects where full_path = 'owned/p')`,
      [world.owned],
    );
    await world.api
      .sql(`insert into routes (path, source_type, source_id) select 'owned/p', 'Project', id from projects where full_path = 'owned/p'
      on conflict do nothing`);
    const { status, body } = await post([{ ...OWNED_ENTITY, ...change }]);
    expect([status, body.message]).toEqual([422, text]);
    expect(await world.api.sql('select id from bulk_imports')).toEqual([]);
  });

  it('must be a group where the caller may create objects', async () => {
    const request = {
      configuration: world.configuration,
      entities: [{ ...OWNED_ENTITY, destination_namespace: 'taken' }],
    };
    const { status, body } = await world.someone.client.post('/bulk_imports', request);
    expect([status, body['message']]).toEqual([
      422,
      "Import failed. Destination 'taken' is invalid, or you don't have permission.",
    ]);
  });
});

describe('a dry run', () => {
  it('reports what would be created, and creates nothing', async () => {
    const { status, body } = await post([OWNED_ENTITY, { ...OWNED_ENTITY, destination_slug: 'taken' }], {
      dry_run: true,
    });
    expect(status).toBe(200);
    const counts = {
      subgroups: 0,
      projects: 1,
      members: 1,
      labels: 0,
      milestones: 0,
      issues: 0,
      merge_requests: 0,
    };
    expect(body).toEqual({
      entities: [
        {
          ...{ source_full_path: 'owned', destination: 'copy', conflicts: [], unmatched_users: [] },
          counts: { ...counts, repository_size: null },
        },
        {
          ...{ source_full_path: 'owned', destination: 'taken', unmatched_users: [] },
          conflicts: ["Import failed. 'taken' already exists. Change the destination and try again."],
          counts: { ...counts, repository_size: null },
        },
      ],
    });
    expect(await world.api.sql('select id from bulk_imports')).toEqual([]);
  });
});
