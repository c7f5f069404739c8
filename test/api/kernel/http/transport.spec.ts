import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { startProbedApi } from '../../../support/probe/start-probed-api.js';
import { sendRaw } from '../../../support/raw-http.js';

const TEN_MIB = 10 * 1024 * 1024;

describe('transport', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startProbedApi();
    await api.sql(
      `insert into projects (id, namespace_id, name, path, full_path, full_name) values (11, 1, 'p', 'p', 'root/p', 'p')`,
    );
    await api.sql(`insert into routes (path, source_type, source_id) values ('root/p', 'Project', 11)`);
  });
  afterAll(() => api.close());

  it('accepts encoded paths and refuses decoded ones', async () => {
    expect((await api.root.get('/projects/root%2Fp/probe/open')).body).toEqual({ id: 11, role: 60 });
    expect((await api.root.get('/projects/ROOT%2fP/probe/open')).body['id']).toBe(11);
    const decoded = await api.root.get('/projects/root/p/probe/open');
    expect([decoded.status, decoded.body]).toEqual([404, { error: '404 Not Found' }]);
  });

  it('returns 404 for unknown routes, also without a credential', async () => {
    for (const path of [
      '/nothing',
      '/api/v4',
      '/api/v3/version',
      '/api/v4/version/x',
      '/api/v4//version/x',
      '/oauth/x',
    ]) {
      const answer = await api.anonymous.get(path);
      expect([path, answer.status, answer.body]).toEqual([path, 404, { error: '404 Not Found' }]);
      expect(answer.headers.get('content-type')).toBe('application/json');
    }
    expect((await api.root.get('/version/')).status).toBe(200);
  });

  it('ignores empty segments of a path, as clients send them', async () => {
    const flag = await api.root.post('/features//api_redirect_moved_projects', { value: true });
    expect([flag.status, flag.body['state']]).toEqual([201, 'on']);
    expect((await api.root.delete('/features//api_redirect_moved_projects')).status).toBe(204);
    for (const target of [
      '//api/v4/version',
      '/api/v4//version?a=http://x//y',
      'http://x///api//v4//version//',
    ]) {
      const head = `Host: x\r\nPRIVATE-TOKEN: ${ROOT_TOKEN}\r\nConnection: close`;
      const answer = await sendRaw(api.url, `GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`);
      expect([target, answer.status]).toEqual([target, 200]);
    }
    const page = await api.root.get('//probe//rows?amount=3&per_page=1&from=http://x//y');
    expect(page.headers.get('link')).toContain('/api/v4/probe/rows?');
    expect(page.headers.get('link')).toContain(encodeURIComponent('http://x//y'));
    expect((await api.root.get('/projects//probe/open')).status).toBe(404);
  });

  it('supports only JSON', async () => {
    const xml = await api.root.get('/version?format=xml');
    expect([xml.status, xml.body]).toEqual([406, { error: "The requested format 'xml' is not supported." }]);
    expect((await api.root.get('/version?format=json&search=format=xml')).status).toBe(200);
    expect((await api.root.get('/version', { Accept: 'application/xml' })).status).toBe(200);
    const suffixed = await api.root.get('/version.json');
    expect([suffixed.status, suffixed.body]).toEqual([200, (await api.root.get('/version')).body]);
  });

  it('returns 405 with Allow for other methods of a known path', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT', 'PROPFIND']) {
      const answer = await api.root.send(method, '/probe/echo');
      expect([method, answer.status, answer.body]).toEqual([
        method,
        405,
        { message: '405 Method Not Allowed' },
      ]);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    }
    const template = await api.root.send('PATCH', '/projects/1/probe/open');
    expect([template.status, template.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('returns the methods for OPTIONS, and the headers of GET for HEAD', async () => {
    const options = await api.anonymous.send('OPTIONS', '/probe/echo');
    expect([options.status, options.text]).toEqual([204, '']);
    expect(options.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect((await api.anonymous.send('OPTIONS', '/nothing')).status).toBe(404);
    const get = await api.root.get('/probe/rows?amount=50');
    const head = await api.root.send('HEAD', '/probe/rows?amount=50');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'x-total', 'x-next-page', 'link'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    const refused = await api.anonymous.send('HEAD', '/probe/rows?amount=50');
    expect([refused.status, refused.text]).toEqual([401, '']);
  });

  it('refuses TRACE and unknown methods', async () => {
    const trace = await sendRaw(
      api.url,
      'TRACE /api/v4/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect([trace.status, trace.body]).toEqual([405, '{"message":"405 Method Not Allowed"}']);
    for (const line of [
      'GETX /api/v4/version HTTP/1.1',
      'GET /api/v4/version HTTP/9.9',
      'nonsense',
      '\0\0\0',
    ]) {
      const answer = await sendRaw(api.url, `${line}\r\nHost: x\r\n\r\n`);
      expect([line, answer.status, answer.body]).toEqual([line, 400, '{"message":"400 Bad request"}']);
    }
    const override = await api.root.post('/probe/echo', {}, { 'X-HTTP-Method-Override': 'DELETE' });
    expect(override.status).toBe(201);
    expect((await api.root.post('/probe/echo?_method=DELETE', {})).status).toBe(201);
  });

  it('refuses requests whose length is ambiguous', async () => {
    const both =
      'POST /api/v4/probe/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect((await sendRaw(api.url, both)).status).toBe(400);
    const twice =
      'POST /api/v4/probe/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef';
    expect((await sendRaw(api.url, twice)).status).toBe(400);
    const headers = `GET /api/v4/version HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(70_000)}\r\n\r\n`;
    const big = await sendRaw(api.url, headers);
    expect([big.status, JSON.parse(big.body)]).toEqual([
      431,
      { message: '431 Request Header Fields Too Large' },
    ]);
  });

  it('refuses invalid escapes', async () => {
    for (const path of [
      '/projects/%zz',
      '/projects/a%2',
      '/projects/%ff%fe',
      '/projects/a%00b',
      '/version?a=%',
      '/version?a=%zz',
    ]) {
      const answer = await sendRaw(
        api.url,
        `GET /api/v4${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect([path, answer.status, answer.body]).toEqual([path, 400, '{"message":"400 Bad request"}']);
    }
  });

  it('returns 414 for a URL over 8,192 bytes and accepts one of 8,192', async () => {
    const path = '/api/v4/version?x=';
    const at = (bytes: number): string => path + 'x'.repeat(bytes - path.length);
    expect((await api.root.get(at(8192))).status).toBe(200);
    const list = '/api/v4/projects?x='.padEnd(8192, 'x');
    expect((await api.root.get(list)).status).toBe(200);
    for (const bytes of [8193, 20_000]) {
      const answer = await api.root.get(at(bytes));
      expect([answer.status, answer.body]).toEqual([414, { message: '414 Request-URI Too Large' }]);
    }
  });

  it('returns 413 for a body over 10 MiB, chunked or not, and accepts one of 10 MiB', async () => {
    const body = (bytes: number): string => `{"ignored":"${'x'.repeat(bytes - 14)}"}`;
    expect(
      (await api.root.post('/probe/echo', body(TEN_MIB), { 'Content-Type': 'application/json' })).status,
    ).toBe(201);
    const whole = await api.root.post('/probe/echo', body(TEN_MIB + 1), {
      'Content-Type': 'application/json',
    });
    expect([whole.status, whole.body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
    expect(await sendChunked(`${api.url}/api/v4/probe/echo`, TEN_MIB + 1000)).toBe(413);
  });

  it('sends exactly application/json and the security headers with every answer', async () => {
    const answers = await Promise.all([
      api.root.get('/version'),
      api.root.get('/probe/rows?amount=3'),
      api.anonymous.get('/version'),
      api.root.get('/nothing'),
      api.root.post('/probe/echo', '{', { 'Content-Type': 'application/json' }),
      api.root.post('/probe/echo', {}),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toBe('application/json');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('max-age=0, private, must-revalidate');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('vary')).toBe('Origin');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('returns a valid X-Request-Id and replaces any other', async () => {
    const own = await api.root.get('/version', { 'X-Request-Id': 'my.id-1' });
    expect(own.headers.get('x-request-id')).toBe('my.id-1');
    for (const bad of ['a b', '<x>', 'x'.repeat(200)]) {
      const answer = await api.root.get('/version', { 'X-Request-Id': bad });
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
      expect(answer.headers.get('x-request-id')).not.toBe(bad);
    }
  });

  it('lets scripts of any origin read the API and its headers, never with cookies', async () => {
    const origin = { Origin: 'https://elsewhere.test' };
    for (const answer of [
      await api.root.get('/version', origin),
      await api.anonymous.get('/version', origin),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining([
          'Link',
          'X-Total',
          'X-Total-Pages',
          'X-Per-Page',
          'X-Page',
          'X-Next-Page',
          'X-Prev-Page',
        ]),
      );
    }
    const preflight = await api.anonymous.send('OPTIONS', '/version', undefined, {
      ...origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'private-token',
    });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('private-token');
  });

  it('returns 304 for a GET whose response has not changed', async () => {
    const first = await api.root.get('/version');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[0-9a-f]+"$/);
    for (const header of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await api.root.get('/version', { 'If-None-Match': header });
      expect([header, again.status, again.text]).toEqual([header, 304, '']);
      expect(again.headers.get('etag')).toBe(tag);
    }
    expect((await api.root.get('/version', { 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await api.root.post('/probe/echo', {}, { 'If-None-Match': '*' })).status).toBe(201);
  });

  it('returns 412 for a DELETE of an object that has changed since', async () => {
    const remove = (since: string): Promise<{ status: number; body: unknown }> =>
      api.root.delete('/probe/thing', { 'If-Unmodified-Since': since });
    const refused = await remove('Wed, 01 May 2024 11:59:59 GMT');
    expect([refused.status, refused.body]).toEqual([412, { message: '412 Precondition Failed' }]);
    for (const since of ['Wed, 01 May 2024 12:00:00 GMT', 'Thu, 02 May 2024 00:00:00 GMT', 'no date', ''])
      expect([since, (await remove(since)).status]).toEqual([since, 204]);
    const bare = await api.root.delete('/probe/thing');
    expect([bare.status, bare.text, bare.headers.get('content-type')]).toEqual([204, '', null]);
  });

  it('gives slow clients a limited time for their headers', () => {
    const server = api.app.getHttpServer() as { headersTimeout: number; requestTimeout: number };
    expect(server.headersTimeout).toBeLessThanOrEqual(15_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(300_000);
  });
});

function sendChunked(url: string, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': 'application/json' };
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    let answered = false;
    request.on('response', () => (answered = true));
    request.on('error', (error) => (answered ? undefined : reject(error)));
    request.write('{"ignored":"');
    for (let sent = 0; sent < bytes; sent += 65_536) request.write('x'.repeat(65_536));
    request.end('"}');
  });
}
