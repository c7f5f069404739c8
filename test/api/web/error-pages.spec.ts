import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { addUser, type AddedUser } from '../../support/builders/instance.js';
import { buildBrowser } from '../../support/builders/session.js';
import { PageClient } from '../../support/page-client.js';
import { startProbedApi } from '../../support/probe/start-probed-api.js';

let api: TestApi;
let user: AddedUser;
beforeAll(async () => {
  api = await startProbedApi({ LOG_LEVEL: 'silent' });
  user = await addUser(api, 'somebody');
});
afterAll(() => api.close());

const visitor = (): PageClient => new PageClient(api.url);

describe('failures', () => {
  it('of pages are pages, and reveal no internals', async () => {
    const answer = await visitor().get('/-/probe/broken');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    expect(answer.text).toContain(answer.headers.get('x-request-id') ?? 'none');
    expect(answer.text).not.toContain('secret');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const asked = await visitor().get('/-/probe/broken', { Accept: 'application/json' });
    expect(asked.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('show the errors of parameters', async () => {
    const answer = await visitor().get('/-/probe/open?words[]=%3Cb%3E');
    expect([answer.status, answer.text.includes('words is invalid')]).toEqual([400, true]);
  });

  it('are pages for unknown paths outside of the API if the client accepts HTML', async () => {
    const page = await visitor().get('/nowhere/at/all');
    expect([page.status, page.text.includes('Page not found')]).toEqual([404, true]);
    const method = await visitor().get('/users/sign_out');
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'DELETE, POST']);
    for (const [path, accept] of [
      ['/nowhere', '*/*'],
      ['/nowhere', 'application/json'],
      ['/api/v4/nowhere', 'text/html'],
      ['/api/v4/user', 'text/html'],
    ] as const) {
      const answer = await visitor().get(path, { Accept: accept });
      expect([path, answer.headers.get('content-type')]).toEqual([path, 'application/json']);
    }
  });

  it('show the reason, in readable text', async () => {
    const client = await buildBrowser(api, user.id);
    await api.root.put('/application/settings', { user_oauth_applications: false });
    try {
      const { status, text } = await client.get('/-/profile/applications/new');
      expect([status, text.includes('<p>Users cannot register applications here</p>')]).toEqual([403, true]);
    } finally {
      await api.root.put('/application/settings', { user_oauth_applications: true });
    }
    const unknown = await client.get('/-/profile/applications/999999');
    expect([unknown.status, unknown.text.includes('404 Application')]).toEqual([404, false]);
    const long = await client.get(`/-/profile?x=${'x'.repeat(9000)}`);
    expect([long.status, long.text.includes('The address is too long')]).toEqual([414, true]);
    const large = await client.submit('/-/probe/open', { words: 'x'.repeat(11_000_000) });
    expect([large.status, large.text.includes('This is too large')]).toEqual([413, true]);
  });

  it('of a body that cannot be read are pages too', async () => {
    const answer = await visitor().send('POST', '/-/probe/open', '{', { 'Content-Type': 'application/json' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });
});
