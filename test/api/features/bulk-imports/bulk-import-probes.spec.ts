import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SourceLimits } from '#features/bulk-imports/source/source-limits.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { FakeSource } from '../../../support/fake-source.js';

interface Answer {
  readonly id: number;
  readonly message: unknown;
  readonly source_url: string;
  readonly entities: { readonly conflicts: string[] }[];
}

describe('requests for migrations', () => {
  let api: TestApi;
  let source: FakeSource;
  let importer: CreatedUser;
  let group: string;

  const ask = (
    more: Readonly<Record<string, unknown>>,
    url = source.url,
    isDry = true,
  ): Promise<{ status: number; body: Answer }> =>
    importer.client.post<Answer>('/bulk_imports', {
      configuration: { url, access_token: 'secret-of-the-source' },
      entities: [
        {
          source_type: 'group_entity',
          source_full_path: 'old',
          destination_slug: 'copy',
          destination_namespace: '',
          ...more,
        },
      ],
      dry_run: isDry,
    });

  beforeAll(async () => {
    api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true', LOG_LEVEL: 'fatal' });
    await api.root.put('/application/settings', { bulk_import_rate_limit: 0 });
    importer = await createUser(api);
    source = await FakeSource.start();
    for (const path of ['hidden', 'hidden-two'])
      await api.root.post('/groups', { name: path, path, visibility: 'private' });
    const { body } = await api.root.get<{ id: number }>('/groups/hidden');
    await api.root.post('/projects', { name: 'inside', namespace_id: body.id, visibility: 'private' });
    group = `own-${importer.username}`;
    await importer.client.post('/groups', { name: group, path: group });
    script();
  });
  afterAll(async () => {
    await source.stop();
    await api.close();
  });

  const script = (): void => {
    source
      .json('GET /api/v4/version', { version: '15.0.0' })
      .json('GET /api/v4/groups/old', { id: 7, full_path: 'old' })
      .json('GET /api/v4/groups/7/export_relations/status', []);
  };

  it('reveal nothing about destination groups that the caller cannot see', async () => {
    const conflicts = async (namespace: string, slug: string, path = 'old'): Promise<unknown> => {
      source.json(`GET /api/v4/groups/${encodeURIComponent(path)}`, { id: 7, full_path: path });
      const { body } = await ask({
        destination_namespace: namespace,
        destination_slug: slug,
        source_full_path: path,
      });
      return body.entities[0]?.conflicts.map((text) => text.replace(namespace, 'N'));
    };
    const nothing = await conflicts('nowhere', 'inside');
    expect(nothing).toHaveLength(1);
    expect(await conflicts('hidden', 'inside')).toEqual(nothing);
    expect(await conflicts('hidden', 'other')).toEqual(nothing);
    expect(await conflicts('hidden', 'x', 'hidden')).toEqual(nothing);
  });

  it('report a slow source after a while', async () => {
    const limits = api.app.get(SourceLimits, { strict: false });
    limits.patienceMs = 300;
    source.on('GET /api/v4/version', () => undefined);
    const { status, body } = await ask({});
    expect([status, body.message]).toEqual([422, 'The source instance does not respond in time']);
    limits.patienceMs = 10_000;
    script();
  });

  it('refuse a response of the source that would take too much memory', async () => {
    source.on('GET /api/v4/version', { body: `{"version":"15.0.0","x":[${'[],'.repeat(1_000_000)}[]]}` });
    const { status, body } = await ask({});
    expect([status, body.message]).toEqual([
      422,
      'Invalid source URL. Enter only the base URL of the source instance.',
    ]);
    script();
  });

  it('do not show the query of a source URL', async () => {
    const { status, body } = await ask({}, `${source.url}/?private_token=secret#x`, false);
    expect([status, body.source_url]).toEqual([201, source.url]);
  });

  it('do not confuse a path that is a number with the id of another group', async () => {
    source.json('GET /api/v4/groups/8', { id: 8, full_path: 'somebody' });
    const { body } = await importer.client.post<Answer>('/bulk_imports', {
      configuration: { url: source.url, access_token: 'x' },
      entities: ['old', '8'].map((path) => ({
        source_type: 'group_entity',
        source_full_path: path,
        destination_slug: `copy-${path}`,
        destination_namespace: group,
      })),
    });
    let found: { message: string }[] = [];
    for (let tries = 0; tries < 100 && found.length === 0; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      found = await api.sql(
        `select f.exception_message as message from bulk_import_failures f join bulk_import_entities e on e.id = f.entity_id
         where e.bulk_import_id = $1 and e.source_full_path = '8'`,
        [body.id],
      );
    }
    expect(found).toEqual([{ message: "The source returned no id for '8'" }]);
    expect(source.seen.filter(({ path }) => path.includes('/groups/8/'))).toEqual([]);
  });
});
