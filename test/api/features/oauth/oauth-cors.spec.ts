import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';

const ELSEWHERE = 'https://elsewhere.test';
const OWN = 'https://forge.test:8443';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ EXTERNAL_URL: OWN });
});
afterAll(() => api.close());

/** All CORS headers of a response. */
const corsOf = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => name.startsWith('access-control-') && name !== 'access-control-max-age')
      .map(([name, value]) => [name.replace('access-control-', ''), value]),
  );

const preflight = (path: string, method: string, asked?: string, origin = ELSEWHERE): Promise<Answer> =>
  api.anonymous.send('OPTIONS', path, undefined, {
    Origin: origin,
    'Access-Control-Request-Method': method,
    ...(asked === undefined ? {} : { 'Access-Control-Request-Headers': asked }),
  });

interface Row {
  readonly path: string;
  readonly methods: string;
  readonly takesAuthorization: boolean;
}

/** `auth-core.md` 1.13. */
const ROWS: readonly Row[] = [
  { path: '/oauth/token', methods: 'POST, OPTIONS', takesAuthorization: true },
  { path: '/oauth/revoke', methods: 'POST, OPTIONS', takesAuthorization: true },
  { path: '/oauth/userinfo', methods: 'GET, HEAD, POST, OPTIONS', takesAuthorization: true },
  { path: '/oauth/token/info', methods: 'GET, HEAD, OPTIONS', takesAuthorization: true },
  { path: '/oauth/discovery/keys', methods: 'GET, HEAD', takesAuthorization: false },
  { path: '/.well-known/openid-configuration', methods: 'GET, HEAD', takesAuthorization: false },
  { path: '/.well-known/oauth-authorization-server', methods: 'GET, HEAD', takesAuthorization: false },
  { path: '/.well-known/webfinger', methods: 'GET, HEAD', takesAuthorization: false },
];

describe.each(ROWS)('CORS of $path', ({ path, methods, takesAuthorization }) => {
  const [method = ''] = methods.split(', ');
  const granted = { 'allow-origin': '*', 'allow-methods': methods };

  it('admits any origin, including our own, without cookies, and names no headers', async () => {
    for (const origin of [ELSEWHERE, OWN, 'null']) {
      const answer = await api.anonymous.send(method, path, undefined, { Origin: origin });
      expect(corsOf(answer)).toEqual(granted);
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  it('has no headers for clients that are not browsers', async () => {
    expect(corsOf(await api.anonymous.send(method, path))).toEqual({});
  });

  it('answers preflights with 200 and the requested headers', async () => {
    for (const one of methods.split(', ').filter((name) => name !== 'OPTIONS')) {
      const plain = await preflight(path, one);
      expect([plain.status, plain.text, corsOf(plain)]).toEqual([200, '', granted]);
      const simple = await preflight(path, one, 'content-type');
      expect(corsOf(simple)).toEqual({ ...granted, 'allow-headers': 'content-type' });
      const authorized = await preflight(path, one, 'Authorization');
      expect(authorized.status).toBe(200);
      expect(corsOf(authorized)).toEqual(
        takesAuthorization ? { ...granted, 'allow-headers': 'Authorization' } : {},
      );
    }
  });

  it('sends no CORS headers for a preflight with another header or method', async () => {
    for (const asked of [
      'x-requested-with',
      'authorization, x-requested-with',
      'X-CSRF-Token',
      'private-token',
    ]) {
      const answer = await preflight(path, method, asked);
      expect([answer.status, corsOf(answer)]).toEqual([200, {}]);
    }
    for (const other of ['PUT', 'DELETE', 'PATCH', 'TRACE'])
      expect(corsOf(await preflight(path, other))).toEqual({});
  });
});

describe('CORS elsewhere', () => {
  it('is not enabled for pages and routes that scripts do not use', async () => {
    for (const path of ['/oauth/authorize', '/oauth/introspect', '/oauth/applications', '/-/health']) {
      for (const origin of [ELSEWHERE, OWN])
        expect([path, corsOf(await api.anonymous.get(path, { Origin: origin }))]).toEqual([path, {}]);
      expect(corsOf(await preflight(path, 'POST', 'authorization'))).toEqual({});
    }
  });
});

describe('CORS of the API', () => {
  it('lets only scripts of our own origin send cookies', async () => {
    const own = corsOf(await api.anonymous.get('/version', { Origin: OWN }));
    expect(own).toMatchObject({ 'allow-origin': OWN, 'allow-credentials': 'true' });
    for (const origin of [
      ELSEWHERE,
      'null',
      'https://forge.test',
      'http://forge.test:8443',
      `${OWN}.evil.test`,
      OWN.toUpperCase(),
    ]) {
      const other = corsOf(await api.anonymous.get('/version', { Origin: origin }));
      expect(other).toMatchObject({ 'allow-origin': '*' });
      expect(other).not.toHaveProperty('allow-credentials');
    }
  });

  it('allows any header and method of the API', async () => {
    for (const [origin, expected] of [
      [ELSEWHERE, { 'allow-origin': '*' }],
      [OWN, { 'allow-origin': OWN, 'allow-credentials': 'true' }],
    ] as const) {
      const answer = await preflight('/api/v4/projects', 'DELETE', 'private-token, x-anything', origin);
      expect(answer.status).toBe(200);
      expect(corsOf(answer)).toMatchObject({
        ...expected,
        'allow-headers': 'private-token, x-anything',
        'allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      });
    }
  });

  it('lists the methods of a path for a plain OPTIONS', async () => {
    const answer = await api.anonymous.send('OPTIONS', '/oauth/userinfo');
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });
});
