import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { listRoutes, type RouteDescription } from '#kernel/http/routes/route-list.js';
import { startApi, type TestApi } from '../../support/api.js';
import { addUser } from '../../support/builders/instance.js';
import { buildBrowser } from '../../support/builders/session.js';
import { PageClient, type PageReply } from '../../support/page-client.js';
import { isInRequest } from '../../support/watched-reads.js';

let api: TestApi;
let pages: RouteDescription[];
let forms: RouteDescription[];
let userId: number;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent' });
  pages = listRoutes(api.app).filter(({ rule }) => rule?.page !== undefined && rule.page !== 'asset');
  forms = pages.filter(({ method }) => method !== 'GET');
  userId = (await addUser(api, 'somebody')).id;
});
afterAll(() => api.close());

const pathOf = ({ path }: RouteDescription): string => path.replaceAll(/:\w+/g, '1');
const nameOf = ({ method, path }: RouteDescription): string => `${method} ${path}`;

/** Sends a form with everything that a browser would add, and `changes` on top. */
function send(
  browser: PageClient,
  route: RouteDescription,
  token: string,
  headers: Record<string, string> = {},
): Promise<PageReply> {
  const body = new URLSearchParams({ authenticity_token: token });
  return browser.send(route.method, pathOf(route), body, headers);
}

async function tokenOf(browser: PageClient): Promise<string> {
  await browser.get('/-/profile');
  return browser.formToken;
}

describe('every form of a page', () => {
  it('is refused from other sites, and without its token or with that of another user, and has no effect', async () => {
    expect(forms.length).toBeGreaterThan(20);
    const [browser, other] = [await buildBrowser(api, 1), await buildBrowser(api, 1)];
    const [own, foreign] = [await tokenOf(browser), await tokenOf(other)];
    const attempts: [string, Record<string, string>][] = [
      ['', {}],
      ['x', {}],
      [foreign, {}],
      ['', { 'X-CSRF-Token': foreign }],
      [own, { Origin: 'https://evil.test' }],
      [own, { 'Sec-Fetch-Site': 'cross-site' }],
      [own, { Origin: 'http://other.forgeplane.test', 'Sec-Fetch-Site': 'same-site' }],
    ];
    for (const route of forms)
      for (const [token, headers] of attempts)
        expect([nameOf(route), headers, (await send(browser, route, token, headers)).status]).toEqual([
          nameOf(route),
          headers,
          422,
        ]);
    expect((await browser.get('/-/profile')).status).toBe(200);
  });

  it('is only for the users that its rule names', async () => {
    const visitor = new PageClient(api.url);
    await visitor.get('/users/sign_in');
    const user = await buildBrowser(api, userId);
    const token = await tokenOf(user);
    for (const route of pages.filter(({ rule }) => rule?.page !== 'open')) {
      const isRead = route.method === 'GET';
      const visit = isRead ? await visitor.get(pathOf(route)) : await send(visitor, route, visitor.formToken);
      expect([nameOf(route), visit.status, visit.location]).toEqual([nameOf(route), 302, '/users/sign_in']);
      if (route.rule?.page !== 'admin') continue;
      const { status } = isRead ? await user.get(pathOf(route)) : await send(user, route, token);
      expect([nameOf(route), status]).toEqual([nameOf(route), 403]);
    }
  });
});

describe('every page', () => {
  it('is returned to after the sign-in, except for streams of events, which scripts request by themselves', async () => {
    const closed = pages.filter(({ method, rule }) => method === 'GET' && rule?.page !== 'open');
    for (const route of closed) {
      const visit = await new PageClient(api.url).get(pathOf(route));
      const kept = visit.cookies.some((line) =>
        line.startsWith(`_service_return_to=${encodeURIComponent(pathOf(route))};`),
      );
      expect([nameOf(route), visit.status, kept]).toEqual([
        nameOf(route),
        302,
        !pathOf(route).endsWith('/events'),
      ]);
    }
  });

  it('is never framed or cached, and runs no foreign script, whatever its content', async () => {
    const browser = await buildBrowser(api, 1);
    for (const route of pages.filter(({ method }) => method === 'GET')) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await browser.send(method, pathOf(route));
        const policy = headers.get('content-security-policy') ?? '';
        expect([nameOf(route), status < 500, method === 'HEAD' && text !== '']).toEqual([
          nameOf(route),
          true,
          false,
        ]);
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toMatch(/unsafe|\*/);
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toMatch(/^(same-origin|no-referrer)$/);
        expect(text).not.toMatch(/<script(?! src="\/-\/assets\/)|\son\w+=|\sstyle=|javascript:/i);
      }
    }
  });

  it('writes nothing for GET and HEAD', async () => {
    const browsers = [await buildBrowser(api, 1), new PageClient(api.url)];
    const dataSource = api.app.get(DataSource);
    const { logger } = dataSource;
    const writes: string[] = [];
    const logQuery = (text: string): void => {
      // Jobs run meanwhile, and may write.
      if (isInRequest() && /^\s*(insert|update|delete|with)\b/i.test(text)) writes.push(text);
    };
    Object.assign(dataSource, { logger: { ...logger, logQuery, log() {} } });
    try {
      for (const route of pages.filter(({ method }) => method === 'GET'))
        for (const method of ['GET', 'HEAD'])
          for (const browser of browsers) await browser.send(method, pathOf(route));
      expect(writes).toEqual([]);
      await browsers[0]?.submit('/users/sign_out', { authenticity_token: await tokenOf(browsers[0]) });
      expect(writes).toEqual([expect.stringMatching(/delete from "sessions"/i)]);
    } finally {
      Object.assign(dataSource, { logger });
    }
  });
});
