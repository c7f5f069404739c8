import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Config } from '#kernel/config/config.js';
import { OutboundHttp } from '#kernel/outbound/outbound-http.js';
import { OutboundUrls } from '#kernel/outbound/outbound-urls.js';
import { RestSourcesService } from '#features/bulk-imports/source/rest-sources.service.js';
import { SourceLimits } from '#features/bulk-imports/source/source-limits.js';
import { ProbeSource } from '#features/bulk-imports/source/probe-source.use-case.js';
import { FakeSource } from '../support/fake-source.js';

const REQUIREMENTS =
  'Check that the source instance base URL and the personal access token meet the necessary requirements.';
const NOT_A_SOURCE = 'Invalid source URL. Enter only the base URL of the source instance.';

describe('the probe of a source', () => {
  let fake: FakeSource;
  let probe: ProbeSource;
  const look = (url = fake.url): Promise<unknown> =>
    probe.run(
      url,
      'glpat-12345678901234567890',
      [
        { of: 'group', sourceFullPath: 'a/b' },
        { of: 'project', sourceFullPath: 'gone' },
      ],
      new AbortController().signal,
    );

  beforeAll(async () => {
    fake = await FakeSource.start();
    const urls = new OutboundUrls(
      Object.assign(new Config(), { OUTBOUND_ALLOWLIST: [`127.0.0.1:${fake.port}`] }),
    );
    probe = new ProbeSource(new RestSourcesService(new OutboundHttp(urls), urls, new SourceLimits()));
  });
  afterAll(() => fake.stop());
  beforeEach(() => {
    fake.reset();
    fake
      .json('GET /api/v4/version', { version: '16.5.0-ee' })
      .json('GET /api/v4/personal_access_tokens/self', { scopes: ['api', 'read_user'] })
      .json('GET /api/v4/groups/a%2Fb', { id: 12, full_path: 'A/b' })
      .json('GET /api/v4/groups/12/export_relations/status', []);
  });

  it('finds the version, and the id of the first entity', async () => {
    expect(await look()).toEqual({ version: '16.5.0-ee', sourceIds: [12] });
  });

  it('reads the version from the metadata if there is no other route', async () => {
    fake
      .on('GET /api/v4/version', { status: 404, body: {} })
      .json('GET /api/v4/metadata', { version: '15.4.1' });
    fake.on('GET /api/v4/personal_access_tokens/self', { status: 404 });
    expect(await look()).toEqual({ version: '15.4.1', sourceIds: [12] });
  });

  it('reports problems of the source', async () => {
    for (const status of [401, 403]) {
      fake.on('GET /api/v4/version', { status, body: {} });
      await expect(look()).rejects.toThrow(REQUIREMENTS);
    }
    fake.on('GET /api/v4/version', { status: 404 });
    await expect(look()).rejects.toThrow(NOT_A_SOURCE);
    for (const body of ['<html>', '[]', '{}', '{"version":"x"}', '{"version":{}}']) {
      fake.on('GET /api/v4/version', { body });
      await expect(look()).rejects.toThrow(NOT_A_SOURCE);
    }
    fake.json('GET /api/v4/version', { version: '13.12.0' });
    await expect(look()).rejects.toThrow("Minimum supported version is '14'.");
    await expect(look('http://127.0.0.1:9')).rejects.toThrow(
      'URL is blocked: Requests to localhost are not allowed',
    );
    await expect(look('file:///x')).rejects.toThrow('URL is blocked: Only allowed schemes are http, https');
  });

  it('reports problems of the token', async () => {
    fake.json('GET /api/v4/personal_access_tokens/self', { scopes: ['read_api'] });
    await expect(look()).rejects.toThrow(REQUIREMENTS);
    fake.on('GET /api/v4/personal_access_tokens/self', { status: 404 });
    await expect(look()).rejects.toThrow(REQUIREMENTS);
  });

  it('reports problems of the requested entities', async () => {
    fake.on('GET /api/v4/groups/12/export_relations/status', { status: 403, body: {} });
    await expect(look()).rejects.toThrow("Import failed. You don't have permission to export 'a/b'.");
    fake.on('GET /api/v4/groups/12/export_relations/status', {
      status: 404,
      body: { message: '404 Not Found' },
    });
    await expect(look()).rejects.toThrow('Migration by direct transfer disabled');
    for (const record of [{ id: 'x' }, { id: 12, full_path: 'other' }]) {
      fake.json('GET /api/v4/groups/a%2Fb', record);
      await expect(look()).rejects.toThrow("Import failed. 'a/b' not found.");
    }
    fake.on('GET /api/v4/groups/a%2Fb', { status: 404, body: { message: '404 Group Not Found' } });
    await expect(look()).rejects.toThrow("Import failed. 'a/b' not found.");
  });
});
