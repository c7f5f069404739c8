import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateSync } from 'otplib';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { accessibilityProblems, describeWithBrowser, openWindow, startBrowser } from '../support/browser.js';
import { ApiClient } from '../support/client.js';
import {
  PASSWORD,
  startOauthWorld,
  type OauthWorld,
  type RegisteredApplication,
} from '../support/oauth-world.js';

const TOKENS = '/-/profile/personal_access_tokens';
const TWO_FACTOR = '/-/profile/two_factor_auth';

/** Pages that a signed-in user can open at any time. */
const OWN_PAGES = [
  '/-/profile',
  '/-/profile/emails',
  '/-/profile/password/edit',
  TOKENS,
  '/-/profile/applications',
  '/oauth/applications/new',
  TWO_FACTOR,
  '/nowhere/at/all',
  '/admin/applications',
];

describeWithBrowser('pages in a browser', () => {
  let world: OauthWorld;
  let browser: Browser;
  let application: Server;
  let callback: string;
  let registered: RegisteredApplication;
  const open: BrowserContext[] = [];

  beforeAll(async () => {
    world = await startOauthWorld();
    // All visitors of this file come from one address.
    await world.plain.put('/application/settings', { throttle_protected_paths_enabled: false });
    browser = await startBrowser();
    // The client of the authorization: shows the response.
    application = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<title>Application</title><h1>Back at the application</h1>${String(request.url).replace(/[<>&]/g, '')}`,
      );
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => application.once('listening', resolve));
    callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  });
  afterAll(async () => {
    for (const window of open) await window.close();
    await browser.close();
    application.close();
    await world.close();
  });

  async function newPage(options: Parameters<typeof openWindow>[1] = {}): Promise<Page> {
    const window = await openWindow(browser, { baseURL: world.product.url, ...options });
    open.push(window);
    const page = await window.newPage();
    page.setDefaultTimeout(60_000);
    return page;
  }

  async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
    await page.goto('/users/sign_in');
    await page.getByLabel('Username or e-mail address').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** A separate user for tests that change the account. */
  async function person(username: string): Promise<string> {
    await world.root.Users.create({
      name: `Person ${username}`,
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
      skipConfirmation: true,
    });
    return username;
  }

  /** Presses Tab until an element has the focus. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    for (let count = 0; count < 25; count += 1) {
      if ((await target.and(page.locator(':focus')).count()) === 1) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('The keyboard does not get there');
  }

  /** Expects the current page to be accessible. */
  async function expectAccessible(page: Page): Promise<void> {
    expect([page.url(), await accessibilityProblems(page)]).toEqual([page.url(), []]);
  }

  async function authorizeUrl(scope: string, state = 's1'): Promise<string> {
    registered = await world.register(scope, { redirectUri: callback });
    const { application_id: id } = registered;
    const query = { client_id: id, redirect_uri: callback, response_type: 'code', scope, state };
    return `/oauth/authorize?${new URLSearchParams(query).toString()}`;
  }

  it('show the errors of the sign-in in a form that assistive technology understands', async () => {
    const page = await newPage();
    await page.goto('/users/sign_in');
    await expectAccessible(page);
    expect(await page.title()).toBe('Sign in - Forgeplane');
    await signIn(page, 'olga', 'wrong password');
    expect(await page.title()).toMatch(/^Errors: /);
    await page.getByText('Invalid login or password.').first().waitFor();
    expect(await page.locator('[role=alert]:focus').count()).toBe(1);
    await expectAccessible(page);
    await signIn(page, 'OLGA@example.com');
    await page.waitForURL('**/-/profile');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/users/sign_in');
    await page.goto('/-/profile');
    expect(page.url()).toContain('/users/sign_in');
  });

  it.each([
    ['light, on a desktop', { colorScheme: 'light', viewport: { width: 1200, height: 900 } }],
    ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
  ] as const)('are all accessible: %s', async (_name, options) => {
    const page = await newPage(options);
    for (const path of ['/users/sign_in', '/users/password/new', '/oauth/authorize?client_id=none']) {
      await page.goto(path);
      await expectAccessible(page);
    }
    await signIn(page, 'olga');
    await page.waitForURL('**/-/profile');
    for (const path of [...OWN_PAGES, await authorizeUrl('api read_user openid')]) {
      await page.goto(path);
      await expectAccessible(page);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([path, overflow]).toEqual([path, 0]);
      expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
    }
  });

  it('request consent, and lead the visitor back with a code or a refusal', async () => {
    const page = await newPage();
    await page.goto(await authorizeUrl('api read_user', 'a b&c'));
    // Not signed in: signing in leads back to the consent page.
    await page.getByLabel('Username or e-mail address').fill('olga');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: /Authorize Client of api read_user/ }).waitFor();
    await page.getByRole('button', { name: /^Authorize/ }).click();
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
    const back = new URL(page.url()).searchParams;
    expect(back.get('state')).toBe('a b&c');
    expect(back.get('code')).toMatch(/^[0-9a-f]{64}$/);
    expect(back.has('iss')).toBe(false);
    const exchanged = await new ApiClient(world.product.url, null).post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: registered.application_id,
      client_secret: registered.secret,
      redirect_uri: callback,
      code: back.get('code'),
    });
    expect(exchanged.status).toBe(200);

    await page.goto(await authorizeUrl('read_user', 's2'));
    await page.getByRole('button', { name: /^Deny/ }).click();
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');

    await page.goto('/-/profile/applications');
    await page.getByRole('link', { name: 'Revoke Client of api read_user' }).click();
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.waitForURL('**/applications');
    expect(await page.getByRole('link', { name: 'Revoke Client of api read_user' }).count()).toBe(0);
    await expectAccessible(page);
  });

  it('create a token that is shown once and works, and revoke it', async () => {
    const page = await newPage();
    await signIn(page, await person('tokens'));
    await page.goto(TOKENS);
    await page.getByLabel('Name').fill('laptop <b>');
    await page.getByRole('button', { name: 'Create token' }).click();
    expect(await page.title()).toMatch(/^Errors: /);
    expect(await page.getByLabel('Name').inputValue()).toBe('laptop <b>');
    await expectAccessible(page);
    await page.getByLabel('read_user', { exact: false }).first().check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Token “laptop <b>”').inputValue();
    await expectAccessible(page);
    const api = new ApiClient(world.product.url, token);
    expect((await api.get('/user')).body).toMatchObject({ username: 'tokens' });
    await page.getByRole('button', { name: /^Copy/ }).click();
    await page.getByText(/Copied|Press Ctrl/).waitFor();
    await page.goto(TOKENS);
    expect(await page.content()).not.toContain(token);
    await page.getByRole('link', { name: 'Revoke laptop <b>' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText('You have no active tokens.').waitFor();
    expect((await api.get('/user')).status).toBe(401);
  });

  it('manage applications of a user, with secrets that are shown once', async () => {
    const page = await newPage();
    await signIn(page, await person('maker'));
    await page.goto('/oauth/applications/new');
    await page.getByLabel('Name').fill('Robot');
    await page.getByLabel('Redirect URIs').fill('javascript:alert(1)');
    await page
      .getByRole('button', { name: /Save|Create|Add/ })
      .first()
      .click();
    expect(await page.title()).toMatch(/^Errors: /);
    await expectAccessible(page);
    await page.getByLabel('Redirect URIs').fill(`${callback}\nhttps://robot.example/back`);
    await page.getByLabel('read_user', { exact: false }).first().check();
    await page
      .getByRole('button', { name: /Save|Create|Add/ })
      .first()
      .click();
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret.length).toBeGreaterThan(30);
    await expectAccessible(page);
    await page.goto('/-/profile/applications');
    await page.getByRole('link', { name: 'Robot', exact: true }).click();
    expect(await page.content()).not.toContain(secret);
    await expectAccessible(page);
  });

  it('set up a second factor, which is required at the next sign-in', async () => {
    const page = await newPage();
    await signIn(page, await person('careful'));
    await page.goto(TWO_FACTOR);
    const secret = ((await page.locator('#two-factor-key').textContent()) ?? '').replaceAll(' ', '');
    await page.getByLabel('Six-digit code').fill('000000');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: /^Turn on/ }).click();
    expect(await page.title()).toMatch(/^Errors: /);
    await expectAccessible(page);
    // A failed attempt keeps the secret, so that a user who has scanned it can continue.
    expect(((await page.locator('#two-factor-key').textContent()) ?? '').replaceAll(' ', '')).toBe(secret);
    const used = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });
    await page.getByLabel('Six-digit code').fill(used);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: /^Turn on/ }).click();
    const codes = await page.locator('.codes li').allTextContents();
    expect(codes).toHaveLength(10);
    await expectAccessible(page);

    const other = await newPage();
    await signIn(other, 'careful');
    await other.getByLabel('Two-factor code').fill(used);
    await other.getByRole('button', { name: 'Verify code' }).click();
    // Used at setup: the code is not valid a second time.
    await other.getByText('Invalid two-factor code.').first().waitFor();
    await expectAccessible(other);
    await other.getByLabel('Two-factor code').fill(codes[0]?.trim() ?? '');
    await other.getByRole('button', { name: 'Verify code' }).click();
    await other.waitForURL('**/-/profile');
    await other.goto(TWO_FACTOR);
    await other.getByText('9 recovery codes are').waitFor();
    await expectAccessible(other);
    await other.getByLabel('Current password').fill(PASSWORD);
    await other.getByRole('button', { name: /^Turn off/ }).click();
    await other.waitForURL(`**${TWO_FACTOR}`);
    await other.getByLabel('Six-digit code').waitFor();
  });

  it('work without JavaScript and with only the keyboard', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto('/-/profile/personal_access_tokens');
    const login = page.getByLabel('Username or e-mail address');
    await tabTo(page, login);
    await page.keyboard.type('olga');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${TOKENS}`);
    await page.getByLabel('Name').focus();
    await page.keyboard.type('by keyboard');
    const box = page.getByLabel('read_api', { exact: false }).first();
    await tabTo(page, box);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Create token' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Token “by keyboard”').inputValue()).toMatch(/^glpat-/);
    await page.goto(await authorizeUrl('read_user', 's3'));
    await page.getByRole('button', { name: /^Authorize/ }).press('Enter');
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
  });
});
