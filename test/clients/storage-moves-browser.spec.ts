import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startApi, type TestApi } from '../support/api.js';
import { accessibilityProblems, describeWithBrowser, openWindow, startBrowser } from '../support/browser.js';
import { addGroup, addProject } from '../support/builders/instance.js';
import { buildBrowser } from '../support/builders/session.js';
import { addMove } from '../support/builders/storage-move.js';

const PATH = '/admin/storage_moves';
const MB = 1_000_000;

describeWithBrowser('storage moves in a browser', () => {
  let api: TestApi;
  let browser: Browser;
  let group: number;
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-move-pages-'));
  const open: BrowserContext[] = [];
  beforeAll(async () => {
    const REPOSITORY_STORAGES = `default=${folder}/default,second=${folder}/second`;
    api = await startApi({ REPOSITORY_STORAGES });
    group = await addGroup(api, 'workshop');
    browser = await startBrowser();
  });
  afterAll(async () => {
    for (const context of open) await context.close();
    await browser.close();
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function adminPage(options: Parameters<typeof openWindow>[1] = {}): Promise<Page> {
    const context = await openWindow(browser, { baseURL: api.url, ...options });
    open.push(context);
    const value = (await buildBrowser(api, 1)).jar.get('_service_session') ?? '';
    await context.addCookies([{ name: '_service_session', value, url: api.url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(8_000);
    return page;
  }
  let count = 0;
  const project = (name: string): Promise<number> =>
    addProject(api, group, `workshop/${name}-${(count += 1)}`);
  const overflowOf = (page: Page): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  /** One move in every state. */
  async function everyState(): Promise<void> {
    const bytes = [120 * MB, 120 * MB] as const;
    const all = { repositories: [2, 2], bytes } as const;
    await addMove(api, { ownerId: await project('finished'), state: 'finished', ...all });
    await addMove(api, { ownerId: await project('cleaning'), state: 'replicated', ...all });
    const errorMessage = `Failed to verify project repository checksum from ${'a'.repeat(64)} to ${'b'.repeat(64)}`;
    await addMove(api, {
      ownerId: await project('failed'),
      state: 'failed',
      errorMessage,
      repositories: [0, 2],
    });
    const left = { state: 'cleanup_failed', errorMessage: 'EACCES: permission denied', ...all } as const;
    await addMove(api, { ownerId: await project('left'), ...left });
    await addMove(api, { ownerType: 'Group', ownerId: group, state: 'finished', repositories: [1, 1] });
    await addMove(api, { ownerId: await project('long'.repeat(40)) });
    await addMove(api, {
      ownerId: await project('copying'),
      state: 'started',
      repositories: [1, 2],
      bytes: [42 * MB, 120 * MB],
    });
  }

  it.each([
    ['light', 1200],
    ['dark', 320],
  ] as const)('are accessible in every state, in %s at %i pixels', async (colorScheme, width) => {
    const page = await adminPage({ colorScheme, viewport: { width, height: 900 } });
    const expectAccessible = async (): Promise<void> =>
      expect([page.url(), await accessibilityProblems(page), await overflowOf(page)]).toEqual([
        page.url(),
        [],
        0,
      ]);
    await page.goto(`${PATH}?state=failed&kind=group`);
    await expectAccessible();
    await everyState();
    await page.goto(PATH);
    await expectAccessible();
    expect(await page.locator('h1').count()).toBe(1);
  });

  it('show progress and the end of a move without being loaded again', async () => {
    const page = await adminPage();
    const id = await addMove(api, { ownerId: await project('live'), state: 'started', repositories: [0, 2] });
    const change = (set: string): Promise<unknown> =>
      api.sql(`update storage_moves set ${set}, updated_at = now() where id = $1`, [id]);
    await page.goto(PATH);
    await page.evaluate('globalThis.wasNotLoadedAgain = true');
    const move = page.locator(`[data-move="${id}"]`);
    const bar = move.getByRole('progressbar', { name: /^Progress of workshop\/live-/ });
    await move.getByText('0 of 2 repositories', { exact: true }).waitFor();
    await change('repositories_done = 1, bytes_total = 2000, bytes_done = 500');
    await move.getByText('1 of 2 repositories, 500 bytes of 2.0 kB').waitFor();
    expect(await bar.getAttribute('value')).toBe('25');
    // Steps are shown, but only what became of a move is said.
    const said = page.locator('[role=status][data-part=news]');
    expect(await said.textContent()).toBe('');
    expect(await move.getByRole('button').count()).toBe(0);
    const error = '<img src=x> disk full';
    await change(`state = 'failed', error_message = '${error}'`);
    await move.getByText('Failed', { exact: true }).waitFor();
    expect(await said.textContent()).toMatch(/^workshop\/live-\d+: Failed$/);
    expect(await move.locator('[data-part=error]').textContent()).toBe(error);
    expect([await bar.count(), await move.locator('img').count()]).toEqual([0, 0]);
    expect(await move.getByText(/^Ended \d{4}-/).isVisible()).toBe(true);
    expect(await move.getByRole('button', { name: /^Reschedule workshop\/live-/ }).isVisible()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('globalThis.wasNotLoadedAgain')).toBe(true);

    await addMove(api, { ownerId: await project('next') });
    await page.getByText('1 newer move. Refresh to see it.').waitFor();
    await page.getByRole('link', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: /^workshop\/next-/ }).waitFor();
  });

  it('stop and resume their updates by the keyboard', async () => {
    const page = await adminPage();
    const id = await addMove(api, {
      ownerId: await project('paused'),
      state: 'started',
      repositories: [0, 3],
    });
    const change = (done: number): Promise<unknown> =>
      api.sql(`update storage_moves set repositories_done = $2 where id = $1`, [id, done]);
    await page.goto(PATH);
    const move = page.locator(`[data-move="${id}"]`);
    await page.getByRole('button', { name: 'Pause updates' }).press('Enter');
    await change(1);
    await page.waitForTimeout(1_500);
    expect(await move.getByText('0 of 3 repositories').count()).toBe(1);
    await page.getByRole('button', { name: 'Resume updates' }).press('Enter');
    await move.getByText('1 of 3 repositories').waitFor();
    expect(await page.getByRole('button', { name: 'Pause updates' }).count()).toBe(1);
  });

  it('say so where their updates end, because nobody is signed in any more', async () => {
    const page = await adminPage();
    await addMove(api, { ownerId: await project('lost'), state: 'started' });
    await page.goto(PATH);
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Resume updates' }).click();
    await page.getByText('Progress is no longer updated. Please refresh.').waitFor();
    expect(await page.getByRole('button', { name: 'Resume updates' }).count()).toBe(0);
  });
});
