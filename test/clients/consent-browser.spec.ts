import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { startApi, type TestApi } from '../support/api.js';
import { accessibilityProblems, describeWithBrowser, openWindow, startBrowser } from '../support/browser.js';
import { addUser } from '../support/builders/instance.js';
import { buildApplication, type BuiltApplication } from '../support/builders/oauth.js';
import { ConsentBrowser, goodRequest, type Parameters as RequestParameters } from '../support/consent.js';

type WindowOptions = NonNullable<Parameters<typeof openWindow>[1]>;

/** Requests to the server of the client. */
interface Received {
  readonly method: string;
  readonly url: URL;
  readonly referrer: string | undefined;
  readonly body: string;
}

async function receive(request: IncomingMessage): Promise<Received> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const url = new URL(request.url ?? '', 'http://client');
  return { method: request.method ?? '', url, referrer: request.headers.referer, body };
}

describeWithBrowser('the consent page in a browser', () => {
  let api: TestApi;
  let browser: Browser;
  let client: Server;
  let redirectUri: string;
  let application: BuiltApplication;
  const received: Received[] = [];

  beforeAll(async () => {
    api = await startApi();
    browser = await startBrowser();
    client = createServer((request, response) => {
      void receive(request).then((one) => {
        if (one.url.pathname === '/callback') received.push(one);
        if (one.url.searchParams.get('state') === 'onward') {
          // Another origin than that of the callback, as for an application whose pages are served elsewhere.
          response
            .writeHead(302, { Location: `http://localhost:${new URL(redirectUri).port}/elsewhere` })
            .end();
          return;
        }
        response.setHeader('Content-Type', 'text/html');
        const frame = `<iframe src="${api.url}/oauth/authorize?${one.url.searchParams.get('frame') ?? ''}"></iframe>`;
        response.end(`<title>Client</title>${one.url.searchParams.has('frame') ? frame : 'here'}`);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => client.once('listening', resolve));
    redirectUri = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
    application = await buildApplication(api, {
      name: 'Deploy Board',
      redirectUris: [redirectUri],
      scopes: ['api', 'read_user', 'write_repository'],
    });
  });
  afterAll(async () => {
    await browser.close();
    client.closeAllConnections();
    client.close();
    await api.close();
  });

  let serial = 0;
  async function signedIn(options: WindowOptions = {}): Promise<BrowserContext> {
    serial += 1;
    const user = await addUser(api, `visitor-${serial}`);
    const { session } = await ConsentBrowser.of(api, user.id);
    const context = await openWindow(browser, options);
    await context.addCookies([
      { name: '_service_session', value: session.secret, url: api.url, httpOnly: true, sameSite: 'Lax' },
    ]);
    return context;
  }
  const urlOf = (changes: RequestParameters = {}): string =>
    `${api.url}/oauth/authorize?${new URLSearchParams(goodRequest(application, changes)).toString()}`;

  it.each([
    ['light', 1200],
    ['dark', 360],
  ] as const)('is accessible in %s at %i pixels', async (colorScheme, width) => {
    const context = await signedIn({ colorScheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    await page.goto(urlOf({ scope: 'api read_user write_repository' }));
    expect(await accessibilityProblems(page)).toEqual([]);
    const overflow = await page.evaluate(() => {
      const { documentElement: root } = (
        globalThis as unknown as {
          document: { documentElement: { scrollWidth: number; clientWidth: number } };
        }
      ).document;
      return root.scrollWidth - root.clientWidth;
    });
    expect(overflow).toBe(0);
    await context.close();
  });

  it.each([true, false])(
    'leads to the client after the approval and passes it only the response (scripts: %p)',
    async (javaScriptEnabled) => {
      const context = await signedIn({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(urlOf());
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.waitForURL(`${redirectUri}?**`);
      const last = received.at(-1);
      expect(last?.url.searchParams.get('state')).toBe('a state');
      expect(last?.url.searchParams.get('code')).toMatch(/^[0-9a-f]{64}$/);
      expect(last?.referrer).toBeUndefined();
      await context.close();
    },
  );

  it('follows the redirects of the client', async () => {
    const context = await signedIn();
    const page = await context.newPage();
    await page.goto(urlOf({ state: 'onward' }));
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL('http://localhost:*/elsewhere');
    await context.close();
  });

  it.each([false, true])(
    'comes after the sign-in, and is skipped for a trusted application (%p)',
    async (trusted) => {
      const one = await buildApplication(api, { redirectUris: [redirectUri], trusted });
      serial += 1;
      const username = `signing-in-${serial}`;
      const password = 'Aubergine-Lanterns-77';
      const email = `${username}@example.com`;
      const created = await api.root.post('/users', {
        username,
        name: username,
        email,
        password,
        skip_confirmation: true,
      });
      expect(created.status).toBe(201);
      const context = await openWindow(browser);
      const page = await context.newPage();
      const signIn = async (): Promise<void> => {
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Sign in' }).click();
      };
      await page.goto(`${api.url}/oauth/authorize?${new URLSearchParams(goodRequest(one)).toString()}`);
      await page.getByLabel('Username or e-mail address').fill(username);
      await signIn();
      if (!trusted) await page.getByRole('button', { name: 'Authorize' }).click();
      await page.waitForURL(`${redirectUri}?**`);
      expect(received.at(-1)?.url.searchParams.has('code')).toBe(true);
      const again = new URLSearchParams(goodRequest(one, { prompt: 'login' })).toString();
      await page.goto(`${api.url}/oauth/authorize?${again}`);
      expect(new URL(page.url()).pathname).toBe('/users/sign_in');
      await signIn();
      if (!trusted) await page.getByRole('button', { name: 'Deny' }).click();
      await page.waitForURL(`${redirectUri}?**`);
      expect(received.at(-1)?.url.searchParams.has(trusted ? 'code' : 'error')).toBe(true);
      await context.close();
    },
  );

  it('leads to the client after the denial', async () => {
    const context = await signedIn();
    const page = await context.newPage();
    await page.goto(urlOf());
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${redirectUri}?**`);
    expect(received.at(-1)?.url.searchParams.get('error')).toBe('access_denied');
    await context.close();
  });

  it('sends the response as a form automatically, if the client requests that', async () => {
    const context = await signedIn();
    const page = await context.newPage();
    await page.goto(urlOf({ response_mode: 'form_post' }));
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(redirectUri);
    const last = received.at(-1);
    expect(last?.method).toBe('POST');
    expect(new URLSearchParams(last?.body).get('code')).toMatch(/^[0-9a-f]{64}$/);
    expect(last?.referrer).toBeUndefined();
    await context.close();
  });

  it('cannot be embedded in other pages', async () => {
    const context = await signedIn();
    const page = await context.newPage();
    const refusals: string[] = [];
    page.on('console', (message) => refusals.push(message.text()));
    const query = new URLSearchParams({
      frame: new URLSearchParams(goodRequest(application)).toString(),
    }).toString();
    await page.goto(`${new URL(redirectUri).origin}/frame?${query}`);
    await page.waitForLoadState('networkidle');
    const texts = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.content().catch(() => '')),
    );
    expect(texts.join('')).not.toContain('Deploy Board');
    expect(refusals.join('\n')).toMatch(/frame-ancestors|X-Frame-Options/);
    await context.close();
  });
});
