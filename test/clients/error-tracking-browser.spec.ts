import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { TestApi } from '../support/api.js';
import { accessibilityProblems, describeWithBrowser, openWindow, startBrowser } from '../support/browser.js';
import { addGroup, addProject } from '../support/builders/instance.js';
import { buildBrowser } from '../support/builders/session.js';
import { addTrackedError, type AddedError } from '../support/builders/tracked-error.js';
import { borrowApi } from '../support/shared-api.js';

const code = [
  'function total(items) {',
  '  // What is in the basket',
  "  if (!items) throw new CartError('No total')",
  '}',
];
const frames = [
  {
    function: 'processTicksAndRejections',
    filename: 'node:internal/process/task_queues',
    lineno: 95,
    colno: 5,
  },
  {
    function: 'Cart.total',
    filename: `src/${'deep/'.repeat(30)}cart.js`,
    lineno: 3,
    colno: 23,
    in_app: true,
    pre_context: code.slice(0, 2),
    context_line: `${code[2]} // ${'long '.repeat(60)}`,
    post_context: code.slice(3),
  },
];
const payload = {
  exception: {
    values: [
      { type: 'RangeError', value: 'Index 4 is out of range' },
      { type: 'CartError', value: 'No total', stacktrace: { frames } },
    ],
  },
  tags: { region: 'north', handled: 'no' },
  user: { email: 'jane@example.com' },
  request: { method: 'GET', url: 'https://shop.example/cart' },
  breadcrumbs: [{ category: 'http', level: 'info', message: 'GET https://shop.example/api/cart' }],
};

describeWithBrowser('errors in a browser', () => {
  let api: TestApi;
  let browser: Browser;
  let project: number;
  let error: AddedError;
  const open: BrowserContext[] = [];
  const at = (suffix = ''): string => `/-/projects/${project}/error_tracking${suffix}`;

  beforeAll(async () => {
    api = await borrowApi();
    project = await addProject(api, await addGroup(api, 'shop'), 'shop/web');
    const hoursAgo = [400, 200, 100, 30, 20, 9, 9, 9, 8, 8, 3, 2, 2, 0];
    error = await addTrackedError(api, project, {
      ...{ name: 'CartError', description: 'No total', actor: 'Cart.total', environment: 'production' },
      ...{ hoursAgo, payload },
    });
    await addTrackedError(api, project, {
      name: `Very${'Long'.repeat(50)}Error`,
      level: 'fatal',
      hoursAgo: [1],
    });
    await addTrackedError(api, project, { name: 'Done', status: 'resolved' });
    browser = await startBrowser();
  });
  afterAll(async () => {
    for (const context of open) await context.close();
    await browser.close();
    await api.close();
  });

  async function adminPage(options: Parameters<typeof openWindow>[1] = {}): Promise<Page> {
    const context = await openWindow(browser, { baseURL: api.url, ...options });
    open.push(context);
    const value = (await buildBrowser(api, 1)).jar.get('_service_session') ?? '';
    await context.addCookies([{ name: '_service_session', value, url: api.url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return page;
  }

  it.each([
    ['light', 1200],
    ['dark', 320],
  ] as const)('are accessible, in %s at %i pixels', async (colorScheme, width) => {
    const page = await adminPage({ colorScheme, viewport: { width, height: 900 } });
    await page.goto(at('/settings'));
    await page.getByRole('checkbox', { name: 'Accept errors' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your changes have been saved.').waitFor();
    for (const suffix of [
      '',
      '?status=ignored&search=x',
      `/errors/${error.id}`,
      `/errors/${error.id}?event=${error.events[2]}`,
      '/settings',
    ]) {
      await page.goto(at(suffix));
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([suffix, await accessibilityProblems(page), overflow]).toEqual([suffix, [], 0]);
      expect(await page.locator('h1').count()).toBe(1);
      const folder = process.env['SCREENSHOTS'];
      if (folder)
        await page.screenshot({
          path: `${folder}/${colorScheme}${suffix.replace(/\W+/g, '-')}.png`,
          fullPage: true,
        });
    }
  });

  it('need no scripts', async () => {
    const page = await adminPage({ javaScriptEnabled: false });
    await page.goto(at());
    await page.getByLabel('Status').selectOption('resolved');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('The error is open again.').waitFor();
    await page.getByRole('button', { name: 'Ignore' }).click();
    await page.getByText('Error ignored.').waitFor();
    await page.goto(at(`/errors/${error.id}`));
    const line = page.getByText("if (!items) throw new CartError('No total')");
    expect(await line.isVisible()).toBe(true);
    await page.getByText('in Cart.total').click();
    expect(await line.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Older event' }).click();
    await page.getByRole('heading', { name: 'Earlier event' }).waitFor();
  });

  it('lets keys be added and removed by keyboard', async () => {
    const page = await adminPage();
    await page.goto(at('/settings'));
    const before = await page.getByLabel(/^DSN of key/).count();
    await page.getByRole('button', { name: 'Add key' }).press('Enter');
    await page.getByText('The key has been added.').waitFor();
    expect(await page.getByLabel(/^DSN of key/).count()).toBe(before + 1);
    await page
      .getByRole('link', { name: /^Remove key/ })
      .last()
      .press('Enter');
    await page.getByRole('heading', { name: 'Remove this key?' }).waitFor();
    await page.getByRole('button', { name: /^Remove key/ }).press('Enter');
    await page.getByText('The key has been removed.').waitFor();
    expect(await page.getByLabel(/^DSN of key/).count()).toBe(before);
  });
});
