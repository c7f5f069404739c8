import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Config } from '#kernel/config/config.js';
import { OutboundHttp } from '#kernel/outbound/outbound-http.js';
import { OutboundUrls } from '#kernel/outbound/outbound-urls.js';
import { RestSourcesService } from '#features/bulk-imports/source/rest-sources.service.js';
import { retryAfterMs } from '#features/bulk-imports/source/retry-after.js';
import type { SourceApi } from '#features/bulk-imports/source/source-api.js';
import { SourceLimits } from '#features/bulk-imports/source/source-limits.js';
import { FakeSource } from '../support/fake-source.js';
import { longestOwnStop } from '../support/longest-stop.js';

const TOKEN = 'glpat-12345678901234567890';

describe('a source over REST', () => {
  let fake: FakeSource;
  let source: SourceApi;
  let folder: string;
  const limits = Object.assign(new SourceLimits(), {
    requestMs: 1_500,
    idleMs: 700,
    pages: 20,
  });
  const openAt = (url: string, signal = new AbortController().signal): SourceApi => {
    const urls = new OutboundUrls(
      Object.assign(new Config(), { OUTBOUND_ALLOWLIST: [`127.0.0.1:${fake.port}`] }),
    );
    return new RestSourcesService(new OutboundHttp(urls), urls, limits).open(url, TOKEN, signal);
  };
  const all = async (pages: AsyncIterable<readonly unknown[]>): Promise<unknown[]> => {
    const rows = [];
    for await (const page of pages) rows.push(...page);
    return rows;
  };

  beforeAll(async () => {
    fake = await FakeSource.start();
    source = openAt(`${fake.url}/base/`);
    folder = mkdtempSync(join(tmpdir(), 'source-'));
  });
  afterAll(async () => {
    await fake.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => fake.reset());

  it('does not stop the service by responses of ten mebibytes', async () => {
    const list = (rows: number, values: number): object[] =>
      Array.from({ length: rows }, (_row, row) =>
        Object.fromEntries(Array.from({ length: values }, (_, at) => [`attribute_${row}_${at}`, at])),
      );
    fake.on('GET /base/api/v4/many', { body: JSON.stringify(list(100, 4_000)) });
    const stop = await longestOwnStop(250, async () => {
      await expect(all(source.pages('/many'))).rejects.toThrow('too many values');
    });
    expect(stop).toBeLessThan(250);
    fake.json('GET /base/api/v4/fewer', list(100, 400));
    expect(await all(source.pages('/fewer'))).toHaveLength(100);
  });

  it('is queried below its base path, with the token only in a header', async () => {
    fake.json('GET /base/api/v4/projects/a%2Fb', { id: 7 });
    expect(await source.get('/projects/a%2Fb', { statistics: true })).toEqual({ id: 7 });
    const [seen] = fake.seen;
    expect(seen?.query.toString()).toBe('statistics=true');
    expect(seen?.headers['private-token']).toBe(TOKEN);
    expect(source.url).toBe(`${fake.url}/base`);
  });

  it('is busy if the same call may succeed later', async () => {
    for (const status of [429, 500, 502, 503, 504]) {
      fake.on('GET /base/api/v4/x', { status, headers: { 'Retry-After': '7' } });
      await expect(source.get('/x')).rejects.toMatchObject({
        name: 'SourceBusy',
        kind: `http_${status}`,
        retryAfterMs: 7_000,
      });
    }
    fake.on('GET /base/api/v4/html', { body: '<html>' });
    await expect(source.get('/html')).rejects.toMatchObject({ kind: 'garbled', retryAfterMs: 30_000 });
    fake.on('GET /base/api/v4/cut', { headers: { 'Content-Length': '100' }, body: '{"id":' });
    await expect(source.get('/cut')).rejects.toMatchObject({ name: 'SourceBusy' });
    fake.on('GET /base/api/v4/silent', () => undefined);
    await expect(source.get('/silent')).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('refuses errors that a retry does not change', async () => {
    for (const status of [400, 401, 403, 404, 422]) {
      fake.on('GET /base/api/v4/x', { status, body: { message: 'no' } });
      await expect(source.get('/x')).rejects.toMatchObject({ name: 'SourceRefused', status });
    }
    fake.json('GET /base/api/v4/list', [1]);
    await expect(source.get('/list')).rejects.toThrow('did not respond with an object');
    fake.on('GET /base/api/v4/deep', { body: '['.repeat(1_000) + ']'.repeat(1_000) });
    await expect(source.get('/deep')).rejects.toThrow('nested too deep');
    fake.on('GET /base/api/v4/bomb', {
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(20 * 1024 ** 2, ' ')),
    });
    await expect(source.get('/bomb')).rejects.toThrow('The response is too large');
    fake.on('GET /base/api/v4/inside', { status: 302, headers: { Location: 'http://169.254.169.254/' } });
    await expect(source.get('/inside')).rejects.toMatchObject({
      name: 'SourceRefused',
      message: /^URL is blocked/,
    });
  });

  it('returns avatars up to a size, and null if there is none', async () => {
    fake.on('GET /base/api/v4/groups/1/avatar', { body: 'GIF89a;' });
    expect(await source.picture('/groups/1/avatar')).toEqual(Buffer.from('GIF89a;'));
    expect(await source.picture('/groups/2/avatar')).toBeNull();
    fake.on('GET /base/api/v4/groups/1/avatar', {
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(limits.pictureBytes + 1)),
    });
    await expect(source.picture('/groups/1/avatar')).rejects.toMatchObject({
      name: 'SourceRefused',
      status: null,
    });
    fake.on('GET /base/api/v4/groups/1/avatar', { status: 503 });
    await expect(source.picture('/groups/1/avatar')).rejects.toMatchObject({ name: 'SourceBusy' });
    fake.on('GET /base/api/v4/groups/1/avatar', () => undefined);
    await expect(source.picture('/groups/1/avatar')).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('reads the Retry-After header as seconds or a date, within an hour', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const pause = (header?: string): number => retryAfterMs(header, limits, now);
    expect([pause('5'), pause('0'), pause('99999999'), pause(), pause('soon'), pause('-3')]).toEqual([
      5_000,
      1_000,
      3_600_000,
      30_000,
      30_000,
      expect.any(Number),
    ]);
    expect(pause('Thu, 01 Jan 2026 00:00:10 GMT')).toBe(10_000);
    expect(pause('Thu, 01 Jan 2015 00:00:10 GMT')).toBe(1_000);
  });

  it('returns lists page by page, by number or by link', async () => {
    fake.list(
      'GET /base/api/v4/rows',
      Array.from({ length: 250 }, (_, id) => ({ id })),
    );
    expect(await all(source.pages('/rows', { a: 1 }))).toHaveLength(250);
    expect(fake.seen.map(({ query }) => query.toString())).toEqual([
      'a=1&per_page=100&page=1',
      'a=1&per_page=100&page=2',
      'a=1&per_page=100&page=3',
    ]);
    fake.on('GET /base/api/v4/keyset', ({ query }) => {
      const after = Number(query.get('cursor') ?? 0);
      const link = `<http://10.0.0.1/elsewhere?cursor=${after + 1}&per_page=100>; rel="next"`;
      return {
        body: [{ after }],
        headers: after < 2 ? { Link: `<http://x/?page=1>; rel="first", ${link}` } : {},
      };
    });
    expect(await all(source.pages('/keyset'))).toEqual([{ after: 0 }, { after: 1 }, { after: 2 }]);
  });

  it('cannot make its reader loop, or read without end', async () => {
    fake.on('GET /base/api/v4/back', ({ query }) => ({
      headers: { 'X-Next-Page': '1' },
      body: [{ page: query.get('page') }],
    }));
    await expect(all(source.pages('/back'))).rejects.toThrow('in circles');
    fake.on('GET /base/api/v4/same', ({ query }) => ({
      headers: { 'X-Next-Page': String(Number(query.get('page')) + 1) },
      body: [{ id: 1 }],
    }));
    await expect(all(source.pages('/same'))).rejects.toThrow('in circles');
    fake.on('GET /base/api/v4/endless', ({ query }) => ({
      headers: { 'X-Next-Page': String(Number(query.get('page')) + 1) },
      body: [{ id: query.get('page') }],
    }));
    await expect(all(source.pages('/endless'))).rejects.toThrow('does not end');
    expect(fake.seen.length).toBeLessThan(30);
    fake.json('GET /base/api/v4/object', { id: 1 });
    await expect(all(source.pages('/object'))).rejects.toThrow('did not respond with a list');
  });

  it('returns counts', async () => {
    fake.on('GET /base/api/v4/rows', { headers: { 'X-Total': '12' }, body: [] });
    fake.json('GET /base/api/v4/others', []);
    expect([await source.count('/rows'), await source.count('/others')]).toEqual([12, null]);
  });

  it('exports relations, and reports progress in any of the forms of v4', async () => {
    fake.on('POST /base/api/v4/groups/3/export_relations', {
      status: 202,
      body: { message: '202 Accepted' },
    });
    await source.requestExport('group', 3);
    expect(JSON.parse(fake.seen[0]?.body ?? '')).toEqual({ batched: true });
    const route = 'GET /base/api/v4/projects/3/export_relations/status';
    const status = (body: unknown): Promise<unknown> => {
      fake.json(route, body);
      return source.exportStatus('project', 3, 'labels');
    };
    const plain = {
      error: null,
      batched: false,
      batchesCount: 0,
      objectsCount: null,
      failedBatches: new Map(),
      edition: null,
    };
    expect(await status({ relation: 'labels', status: 1 })).toEqual({ ...plain, status: 'finished' });
    expect(await status({ relation: 'labels', status: 'started' })).toEqual({ ...plain, status: 'started' });
    expect(
      await status([
        { relation: 'x', status: 1 },
        { relation: 'labels', status: -1, error: 'E' },
      ]),
    ).toEqual({
      ...plain,
      status: 'failed',
      error: 'E',
    });
    const batches = [{ objects_count: 1000 }, { objects_count: 5 }];
    expect(await status({ status: -2, batched: true, batches_count: 2, batches })).toEqual({
      status: 'pending',
      error: null,
      batched: true,
      batchesCount: 2,
      objectsCount: 1005,
      failedBatches: new Map(),
      edition: null,
    });
    const editionOf = async (...times: readonly (string | null)[]): Promise<unknown> => {
      const files = times.map((updated_at, at) => ({ batch_number: at + 1, updated_at }));
      return ((await status({ status: 1, batched: true, batches: files })) as { edition: unknown }).edition;
    };
    expect(await editionOf('2026-01-01T00:00:00Z', null)).toBeNull();
    const edition = await editionOf('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z');
    expect(edition).toMatch(/^[0-9a-f]{64}$/);
    expect(await editionOf('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z')).toBe(edition);
    expect(await editionOf('2026-01-01T00:00:00Z', '2026-01-01T00:00:02Z')).not.toBe(edition);
    for (const nothing of [[], {}, null, { status: 99 }, [{ relation: 'other', status: 1 }]])
      expect(await status(nothing)).toBeNull();
    fake.on(route, { status: 404, body: { message: 'Export not found' } });
    expect(await source.exportStatus('project', 3, 'labels')).toBeNull();
  });

  it('sends complete files', async () => {
    const file = join(folder, 'labels');
    const route = 'GET /base/api/v4/groups/3/export_relations/download';
    fake.on(route, ({ query }) => ({ body: query.toString() }));
    await source.download('group', 3, 'labels', 2, file, 3_000);
    expect(readFileSync(file, 'utf8')).toBe('relation=labels&batched=true&batch_number=2');
    fake.on(route, (_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('short', () => response.destroy());
      return undefined;
    });
    await expect(source.download('group', 3, 'labels', null, file, 3_000)).rejects.toMatchObject({
      name: 'SourceBusy',
    });
    limits.fileBytes = 1_000;
    fake.on(route, { body: 'x'.repeat(1_001) });
    await expect(source.download('group', 3, 'labels', null, file, 3_000)).rejects.toMatchObject({
      name: 'SourceRefused',
    });
  });

  it('reports relations of projects that it never exports', async () => {
    const route = 'GET /base/api/v4/projects/3/export_relations/';
    fake.on(`${route}download`, { status: 400, body: { error: 'relation is not portable' } });
    fake.on(`${route}status`, { status: 404, body: { message: 'Export not found' } });
    expect(await source.neverExports('project', 3, 'environments')).toBe(true);
    // Groups have no such check, and a file that is split is refused alike.
    expect(await source.neverExports('group', 3, 'epics')).toBe(false);
    fake.on(`${route}status`, { body: { relation: 'issues', status: 0 } });
    expect(await source.neverExports('project', 3, 'issues')).toBe(false);
    fake.on(`${route}download`, { status: 404, body: { message: 'Export not found' } });
    expect(await source.neverExports('project', 3, 'issues')).toBe(false);
  });

  it('allows git access without the token in any argument', async () => {
    const { url, config, env } = await source.gitAccess('group/a project.wiki');
    expect(url).toBe(`${fake.url}/base/group/a%20project.wiki.git`);
    expect(config.join(' ')).toContain('http.followRedirects=false');
    expect(JSON.stringify([url, config])).not.toContain(TOKEN);
    const proof = Buffer.from(`oauth2:${TOKEN}`).toString('base64');
    expect(Object.values(env)).toContain(`Authorization: Basic ${proof}`);
  });

  it('is aborted by the signal of the caller', async () => {
    const stop = new AbortController();
    fake.on('GET /api/v4/silent', () => undefined);
    const running = openAt(fake.url, stop.signal).get('/silent');
    setTimeout(() => stop.abort(new Error('cancelled')), 50);
    await expect(running).rejects.toThrow('cancelled');
  });
});
