import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '#kernel/config/config.js';
import { OutboundHttp } from '#kernel/outbound/outbound-http.js';
import { OutboundUrls } from '#kernel/outbound/outbound-urls.js';
import { git, gitText } from '#core/repositories/git/git.js';
import { RestSourcesService } from '#features/bulk-imports/source/rest-sources.service.js';
import type { SourceApi } from '#features/bulk-imports/source/source-api.js';
import { SourceLimits } from '#features/bulk-imports/source/source-limits.js';
import { fetchRepository } from '#features/bulk-imports/steps/repositories/fetch-repository.js';
import { gitProblem } from '#features/bulk-imports/steps/repositories/git-problem.js';
import { remoteRefs, type RemoteRefs } from '#features/bulk-imports/steps/repositories/remote-refs.js';
import { FakeSource } from '../support/fake-source.js';
import { WorkingCopy } from '../support/git.js';

/** A name of no host: only a pinned address leads anywhere. */
const HOST = 'source.test';

class Urls extends OutboundUrls {
  constructor(port: number) {
    super(Object.assign(new Config(), { OUTBOUND_ALLOWLIST: [`${HOST}:${port}`, `127.0.0.1:${port}`] }));
    this.resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  }
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );

describe('git at a source', () => {
  const signal = new AbortController().signal;
  let fake: FakeSource;
  let other: FakeSource;
  let source: SourceApi;
  let folder: string;
  let work: WorkingCopy;

  const look = async (path = 'g/p'): Promise<RemoteRefs | null> =>
    remoteRefs(await source.gitAccess(path), signal);
  /** The files of a repository, as served by a server that knows nothing of git. */
  const serve = async (): Promise<void> => {
    const bare = join(folder, 'source.git');
    rmSync(bare, { recursive: true, force: true });
    await work.git('clone', '--quiet', '--bare', work.path, bare);
    await work.git('--git-dir', bare, 'repack', '-adq');
    await work.git('--git-dir', bare, 'update-server-info');
    for (const name of filesOf(bare))
      fake.on(`GET /g/p.git/${name}`, { body: readFileSync(join(bare, name)) });
  };
  const target = async (): Promise<string> => {
    const path = mkdtempSync(join(folder, 'target-'));
    await git(null, ['init', '--quiet', '--bare', '--template=', '--', path]);
    return path;
  };

  beforeAll(async () => {
    [fake, other] = [await FakeSource.start(), await FakeSource.start()];
    const urls = new Urls(fake.port);
    source = new RestSourcesService(new OutboundHttp(urls), urls, new SourceLimits()).open(
      `http://${HOST}:${fake.port}`,
      'glpat-12345678901234567890',
      signal,
    );
    folder = mkdtempSync(join(tmpdir(), 'source-git-'));
    work = await new WorkingCopy().init();
    await work.git('commit', '--quiet', '--allow-empty', '-m', 'One');
    await work.git('branch', '-M', 'main');
    await work.git('tag', 'v1');
  });
  afterAll(async () => {
    await fake.stop();
    await other.stop();
    rmSync(folder, { recursive: true });
    rmSync(work.path, { recursive: true });
  });
  beforeEach(() => {
    fake.reset();
    other.reset();
  });

  it('connects to the pinned address, and sends the credentials in a header', async () => {
    await serve();
    expect(await look()).toEqual({ head: 'main', misleading: [] });
    expect(fake.seen[0]?.headers.authorization).toMatch(/^Basic /);
    expect(fake.seen[0]?.headers.host).toBe(`${HOST}:${fake.port}`);
  });

  it('fetches branches and tags', async () => {
    await serve();
    const path = await target();
    const access = await source.gitAccess('g/p');
    await fetchRepository(path, { access, without: ['refs/tags/v1'], maxBytes: 1_000_000, signal });
    expect(await gitText(path, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main');
    expect(readFileSync(join(path, 'config'), 'utf8')).not.toContain(HOST);
  });

  it('follows neither redirects nor alternates to other hosts', async () => {
    await serve();
    const elsewhere = `${other.url}/g/p.git`;
    fake.on('GET /g/p.git/objects/info/http-alternates', { body: `${elsewhere}/objects\n` });
    const pack = filesOf(join(folder, 'source.git')).find((name) => name.endsWith('.pack')) ?? '';
    fake.on(`GET /g/p.git/${pack}`, { status: 404 });
    const access = await source.gitAccess('g/p');
    const fetched = fetchRepository(await target(), { access, without: [], maxBytes: 1_000_000, signal });
    await expect(fetched).rejects.toThrow();
    fake.on('GET /g/p.git/info/refs', { status: 302, headers: { Location: `${elsewhere}/info/refs` } });
    await expect(look()).rejects.toThrow();
    expect(other.seen).toEqual([]);
  });

  const problemOf = (error: unknown): Promise<Error | null> =>
    gitProblem(error, () => source.gitPauseMs('g/p'));

  it('respects the Retry-After header of a busy source, within limits', async () => {
    const pause = async (status: number, after?: string): Promise<unknown> => {
      const headers: Record<string, string> = after === undefined ? {} : { 'Retry-After': after };
      fake.on('GET /g/p.git/info/refs', { status, headers });
      return ((await problemOf(await look().catch((error: unknown) => error))) as { retryAfterMs?: number })
        .retryAfterMs;
    };
    expect(await pause(429, '120')).toBe(120_000);
    expect(await pause(503, '7')).toBe(7_000);
    expect(await pause(429, '0')).toBe(1_000);
    expect(await pause(429, '999999999')).toBe(3_600_000);
    expect(await pause(429)).toBe(30_000);
    expect(await pause(502, '120')).toBe(30_000);
    expect(fake.seen.every(({ headers }) => headers.authorization?.startsWith('Basic ') === true)).toBe(true);
  });

  it('distinguishes temporary errors from refusals and missing repositories', async () => {
    const problem = async (status: number): Promise<unknown> => {
      fake.on('GET /g/p.git/info/refs', { status });
      return problemOf(await look().catch((error: unknown) => error));
    };
    expect(await problem(404)).toBeNull();
    for (const status of [401, 403])
      expect(await problem(status)).toMatchObject({ name: 'SourceRefused', status: 403 });
    for (const status of [429, 500, 502, 503])
      expect(await problem(status)).toMatchObject({ name: 'SourceBusy', kind: 'git' });
    fake.on('GET /g/p.git/info/refs', (_request, response) => {
      response.destroy();
      return undefined;
    });
    expect(await problemOf(await look().catch((error: unknown) => error))).toMatchObject({
      name: 'SourceBusy',
    });
    fake.on('GET /g/p.git/info/refs', { body: '<html>\n<body>\n' });
    expect(await problemOf(await look().catch((error: unknown) => error))).toMatchObject({
      name: 'SourceRefused',
    });
  });

  it('is aborted by the signal, and leaves no partial pack', async () => {
    await serve();
    const pack = filesOf(join(folder, 'source.git')).find((name) => name.endsWith('.pack')) ?? '';
    fake.on(`GET /g/p.git/${pack}`, (_request, response) => {
      response.write('PACK');
      return undefined;
    });
    const path = await target();
    const stop = new AbortController();
    const access = await source.gitAccess('g/p');
    const fetched = fetchRepository(path, { access, without: [], maxBytes: 1_000_000, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('cancelled')), 500);
    await expect(fetched).rejects.toThrow('cancelled');
    expect(filesOf(join(path, 'objects')).filter((name) => name.includes('tmp_'))).toEqual([]);
  });
});
