import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Config } from '#kernel/config/config.js';
import { FakeSource } from '../support/fake-source.js';
import { until } from '../support/until.js';
import { OutboundHttp } from '#kernel/outbound/outbound-http.js';
import type { OutboundRequest } from '#kernel/outbound/outbound-request.js';
import { OutboundUrls, type Resolve } from '#kernel/outbound/outbound-urls.js';

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const LIMITS = { timeoutMs: 5_000, maxBytes: 100_000 };

/** Only the given ports of this host are allowed. */
class Urls extends OutboundUrls {
  constructor(ports: readonly number[], resolve?: Resolve) {
    const hosts = ports.flatMap((port) => [`127.0.0.1:${port}`, `source.test:${port}`]);
    super(Object.assign(new Config(), { OUTBOUND_ALLOWLIST: hosts }));
    if (resolve) this.resolve = resolve;
  }
}

describe('outbound calls', () => {
  let source: FakeSource;
  let other: FakeSource;
  let http: OutboundHttp;
  let folder: string;
  const call = (path: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
    url: `${source.url}${path}`,
    ...LIMITS,
    ...more,
  });

  beforeAll(async () => {
    source = await FakeSource.start();
    other = await FakeSource.start();
    http = new OutboundHttp(new Urls([source.port, other.port]));
    folder = mkdtempSync(join(tmpdir(), 'outbound-'));
  });
  afterAll(async () => {
    await source.stop();
    await other.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    source.reset();
    other.reset();
  });

  it('return responses of any status', async () => {
    source.on('POST /a', ({ body, headers }) => ({ status: 418, body: { body, key: headers['x-key'] } }));
    const answer = await http.request(
      call('/a', { method: 'POST', body: 'Grün', headers: { 'X-Key': '1' } }),
    );
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([418, { body: 'Grün', key: '1' }]);
  });

  it('connect to the checked address, even if the name resolves differently later', async () => {
    source.json('GET /', { here: true });
    const meanings = ['127.0.0.1', '127.0.0.2', '127.0.0.2'];
    const urls = new Urls([source.port], () =>
      Promise.resolve([{ address: meanings.shift() ?? '', family: 4 }]),
    );
    const answer = await new OutboundHttp(urls).request({
      ...LIMITS,
      url: `http://source.test:${source.port}/`,
    });
    expect(answer.status).toBe(200);
    expect(meanings).toHaveLength(2);
  });

  it('follow two redirects, and send no credentials to other hosts', async () => {
    source.on('GET /1', { status: 302, headers: { Location: '/2' } });
    source.on('GET /2', { status: 307, headers: { Location: `${other.url}/3` } });
    other.on('GET /3', ({ headers }) => ({ body: { token: headers['private-token'] ?? null } }));
    const answer = await http.request(call('/1', { credentials: { 'PRIVATE-TOKEN': 'secret' } }));
    expect(JSON.parse(answer.body.toString())).toEqual({ token: null });
    expect(source.seen.map(({ headers }) => headers['private-token'])).toEqual(['secret', 'secret']);
  });

  it('follow no third redirect, none of a POST, and none to a forbidden address', async () => {
    source.on('GET /loop', { status: 301, headers: { Location: '/loop' } });
    await expect(http.request(call('/loop'))).rejects.toMatchObject({ problem: 'redirects' });
    expect(source.seen).toHaveLength(3);
    source.on('POST /x', { status: 302, headers: { Location: '/loop' } });
    expect((await http.request(call('/x', { method: 'POST' }))).status).toBe(302);
    for (const location of [
      'http://169.254.169.254/latest',
      'http://10.0.0.1/',
      'file:///etc/passwd',
      'http://[::1]:1/',
    ]) {
      source.on('GET /away', { status: 302, headers: { Location: location } });
      await expect(http.request(call('/away'))).rejects.toThrow('URL is blocked');
    }
  });

  it('fail if the body is too large, compressed or decompressed', async () => {
    source.on('GET /big', { body: 'x'.repeat(100_001) });
    source.on('GET /bomb', {
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(30_000_000)),
    });
    source.on('GET /endless', (_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('y'.repeat(10_000)));
      };
      response.on('drain', write);
      write();
      return undefined;
    });
    for (const path of ['/big', '/bomb', '/endless'])
      await expect(http.request(call(path))).rejects.toMatchObject({ problem: 'too-large' });
  });

  it('read gzip, and report invalid gzip', async () => {
    source.on('GET /zipped', { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('text') });
    source.on('GET /broken', { headers: { 'Content-Encoding': 'gzip' }, body: 'text' });
    source.on('GET /odd', { headers: { 'Content-Encoding': 'constructor' }, body: 'text' });
    expect((await http.request(call('/zipped'))).body.toString()).toBe('text');
    for (const path of ['/broken', '/odd'])
      await expect(http.request(call(path))).rejects.toMatchObject({ problem: 'garbled' });
  });

  it('fail if the host is silent, slow, gone, or truncates the response', async () => {
    source.on('GET /silent', () => undefined);
    source.on('GET /slow', (_request, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
      return undefined;
    });
    source.on('GET /stalls', (_request, response) => {
      response.write('.');
      return undefined;
    });
    source.on('GET /short', (_request, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('12345', () => response.destroy());
      return undefined;
    });
    for (const path of ['/silent', '/stalls'])
      await expect(http.request(call(path, { idleMs: 100 }))).rejects.toMatchObject({ problem: 'timeout' });
    await expect(http.request(call('/slow', { timeoutMs: 200 }))).rejects.toMatchObject({
      problem: 'late',
    });
    await expect(http.request(call('/short'))).rejects.toMatchObject({ problem: 'connection' });
    const gone = await FakeSource.start();
    await gone.stop();
    const nobody = new OutboundHttp(new Urls([gone.port]));
    const failed = nobody.request({ ...LIMITS, url: gone.url });
    await expect(failed).rejects.toThrow(/^Connection refused$/);
  });

  it('are aborted by the signal', async () => {
    source.on('GET /silent', () => undefined);
    const stop = new AbortController();
    const running = http.request(call('/silent', { signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(running).rejects.toThrow('enough');
  });

  it('write files whole or not at all', async () => {
    const file = join(folder, 'a');
    source.on('GET /file', { body: 'content' });
    source.on('GET /none', { status: 404, body: 'nothing' });
    source.on('GET /huge', { body: 'x'.repeat(100_001) });
    expect((await http.download(call('/none'), file)).body.toString()).toBe('nothing');
    await expect(http.download(call('/huge'), file)).rejects.toMatchObject({ problem: 'too-large' });
    expect(existsSync(file)).toBe(false);
    await http.download(call('/file'), file);
    expect(readFileSync(file, 'utf8')).toBe('content');
  });

  it('resume a partial file, as long as it is unchanged', async () => {
    const file = join(folder, 'part');
    const all = '0123456789';
    let etag = '"one"';
    const asked: unknown[] = [];
    source.on('GET /part', ({ headers }, response) => {
      const { range, 'if-range': same } = headers;
      asked.push([range, same]);
      const from = same === etag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
      const part = from > 0 ? { 'Content-Range': `bytes ${from}-${all.length - 1}/${all.length}` } : {};
      response.writeHead(from > 0 ? 206 : 200, { ...part, ETag: etag, 'Content-Length': all.length - from });
      // Four bytes at a time; the connection breaks once they have been read.
      const end = Math.min(from + 4, all.length);
      response.write(all.slice(from, end));
      if (end === all.length) response.end();
      else void until(() => Promise.resolve(sizeOf(file) === end)).then(() => response.destroy());
      return undefined;
    });
    const download = (): Promise<unknown> => http.download(call('/part'), file);
    for (const bytes of [4, 8]) {
      await expect(download()).rejects.toMatchObject({ problem: 'connection' });
      expect(readFileSync(file, 'utf8')).toBe(all.slice(0, bytes));
    }
    await download();
    expect(readFileSync(file, 'utf8')).toBe(all);
    expect(asked).toEqual([
      [undefined, undefined],
      ['bytes=4-', '"one"'],
      ['bytes=8-', '"one"'],
    ]);
    expect(existsSync(`${file}.etag`)).toBe(false);

    rmSync(file);
    await expect(download()).rejects.toMatchObject({ problem: 'connection' });
    etag = '"other"';
    await expect(download()).rejects.toMatchObject({ problem: 'connection' });
    expect(readFileSync(file, 'utf8')).toBe('0123');
    source.on('GET /part', { status: 416, body: '' });
    expect(await http.download(call('/part'), file)).toMatchObject({ status: 416 });
    expect([file, `${file}.etag`].map((path) => existsSync(path))).toEqual([false, false]);
  });

  it('keep no partial file without a validator, and accept no other range than requested', async () => {
    const file = join(folder, 'loose');
    for (const etag of ['', 'W/"weak"']) {
      source.on('GET /loose', (_request, response) => {
        response.writeHead(200, { ...(etag ? { ETag: etag } : {}), 'Content-Length': 10 });
        response.write('0123', () => response.destroy());
        return undefined;
      });
      await expect(http.download(call('/loose'), file)).rejects.toMatchObject({ problem: 'connection' });
      expect(existsSync(file)).toBe(false);
    }
    writeFileSync(file, '0123');
    writeFileSync(`${file}.etag`, '"one"');
    source.on('GET /loose', {
      status: 206,
      headers: { ETag: '"one"', 'Content-Range': 'bytes 2-9/10' },
      body: '23456789',
    });
    await expect(http.download(call('/loose'), file)).rejects.toMatchObject({ problem: 'garbled' });
    expect(existsSync(file)).toBe(false);
  });
});
