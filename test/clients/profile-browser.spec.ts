import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startApi, type TestApi } from '../support/api.js';
import { accessibilityProblems, describeWithBrowser, openWindow, startBrowser } from '../support/browser.js';
import { buildBrowser } from '../support/builders/session.js';
import { createUser, type CreatedUser } from '../support/builders/user.js';
import { MailFolder } from '../support/mail.js';

const FIRST = 'Nightingale-Ladder-4711';
const SECOND = 'Kingfisher-Staircase-0815';
const EMAILS = '/-/profile/emails';

describeWithBrowser('profile and mailed links in a browser', () => {
  let api: TestApi;
  let browser: Browser;
  let mails: MailFolder;
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-profile-browser-'));
  const open: BrowserContext[] = [];
  beforeAll(async () => {
    api = await startApi({ DATA_DIR: dataDir });
    mails = new MailFolder(dataDir);
    browser = await startBrowser();
  });
  afterAll(async () => {
    for (const context of open) await context.close();
    await browser.close();
    await api.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function somebody(): Promise<CreatedUser> {
    const user = await createUser(api, { password: FIRST, force_random_password: undefined });
    await api.sql('update users set password_expires_at = null where id = $1', [user.id]);
    return user;
  }
  async function pageOf(
    user: CreatedUser | null,
    options: Parameters<typeof openWindow>[1] = {},
  ): Promise<Page> {
    const context = await openWindow(browser, { baseURL: api.url, ...options });
    open.push(context);
    const value = user && (await buildBrowser(api, user.id)).jar.get('_service_session');
    if (value) await context.addCookies([{ name: '_service_session', value, url: api.url }]);
    return context.newPage();
  }
  const overflowOf = (page: Page): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  it.each([
    ['light', 1200],
    ['dark', 320],
  ] as const)('are accessible in %s at %i pixels', async (colorScheme, width) => {
    const user = await somebody();
    const confirmed = { email: `sure.${user.username}@example.com`, skip_confirmation: true };
    const { body: sure } = await api.root.post<{ id: number }>(`/users/${user.id}/emails`, confirmed);
    const claimed = `claimed.${user.username}@example.com`;
    const { body: unsure } = await user.client.post<{ id: number }>('/user/emails', { email: claimed });
    const long = {
      email: `${'x'.repeat(60)}@${'y'.repeat(56)}-${width}.example.com`,
      skip_confirmation: true,
    };
    const { body: wide } = await api.root.post<{ id: number }>(`/users/${user.id}/emails`, long);
    const { body: watched } = await user.client.post<{ id: number }>('/projects', { name: 'watched' });
    await user.client.put('/notification_settings', { level: 'custom' });
    const page = await pageOf(user, { colorScheme, viewport: { width, height: 800 } });
    for (const path of [
      '/-/profile',
      '/-/profile/notifications',
      '/-/profile/notifications/projects',
      `/-/profile/notifications/projects/${watched.id}`,
      EMAILS,
      `${EMAILS}/${sure.id}/primary`,
      `${EMAILS}/${unsure.id}/remove`,
      `${EMAILS}/${wide.id}/remove`,
      `${EMAILS}/${wide.id}/primary`,
      await mails.linkTo(claimed),
      '/users/password/new',
      '/users/confirmation/new',
    ]) {
      expect((await page.goto(path))?.status()).toBe(200);
      expect([path, await accessibilityProblems(page), await overflowOf(page)]).toEqual([path, [], 0]);
    }
    await page.goto(EMAILS);
    await page.getByLabel('E-mail address', { exact: true }).fill('admin@example.com');
    await page.getByRole('button', { name: 'Add address' }).click();
    await page.getByRole('alert').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('add an address, confirm it, and make it the primary one, without scripts', async () => {
    const user = await somebody();
    const page = await pageOf(user, { javaScriptEnabled: false });
    const address = `new.${user.username}@example.com`;
    await page.goto(EMAILS);
    await page.getByLabel('E-mail address', { exact: true }).fill(address);
    await page.getByRole('button', { name: 'Add address' }).click();
    await page.getByText('The address has been added').waitFor();
    await page.goto(await mails.linkTo(address));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByText('The address has been confirmed').waitFor();
    await page.getByRole('link', { name: `Make primary: ${address}` }).click();
    await page.getByLabel('Current password').fill(FIRST);
    await page.getByRole('button', { name: `Make ${address} primary` }).click();
    await page.getByText('Your changes have been saved').waitFor();
    expect((await api.root.get(`/users/${user.id}`)).body).toMatchObject({ email: address });
  });

  it('let users who forgot their password sign in again, using only the keyboard', async () => {
    const user = await somebody();
    const page = await pageOf(null);
    await page.goto('/users/sign_in');
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter');
    await page.getByLabel('E-mail address').press('Control+A');
    await page.keyboard.type(`${user.username}@example.com`);
    await page.keyboard.press('Enter');
    await page.getByText('a mail with further steps is on its way').waitFor();
    await page.goto(await mails.linkTo(`${user.username}@example.com`));
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('New password', { exact: false }).first().focus();
    await page.keyboard.type(SECOND);
    await page.keyboard.press('Tab');
    await page.keyboard.type(SECOND);
    await page.keyboard.press('Enter');
    await page.getByText('Please sign in with it').waitFor();
    await page.getByLabel('Username or e-mail address').fill(user.username);
    await page.getByLabel('Password', { exact: true }).fill(SECOND);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  it('send no form twice while its response is pending', async () => {
    const page = await pageOf(await somebody());
    await page.goto('/-/profile/personal_access_tokens');
    await page.getByLabel('Name').fill('once');
    const held = await page.evaluate<boolean[]>(`new Promise((resolve) => {
      const held = [];
      document.addEventListener('submit', (event) => {
        held.push(event.defaultPrevented);
        event.preventDefault();
      });
      const button = document.querySelector('main form button');
      button.click();
      button.click();
      setTimeout(() => {
        button.click();
        resolve(held);
      }, 2100);
    })`);
    expect(held).toEqual([false, true, false]);
  });
});
