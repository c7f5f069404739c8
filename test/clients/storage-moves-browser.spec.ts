import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../support/api.js';
import { accessibilityProblems, describeWithBrowser, openWindow, startBrowser } from '../support/browser.js';
import { addGroup, addProject } from '../support/builders/instance.js';
import { buildBrowser } from '../support/builders/session.js';
import { addMove } from '../support/builders/storage-move.js';
import { seedRepository, WorkingCopy } from '../support/git.js';
import { until } from '../support/until.js';

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
    page.setDefaultTimeout(60_000);
    return page;
  }
  let count = 0;
  const project = (name: string): Promise<number> =>
    addProject(api, group, `workshop/${name}-${(count += 1)}`);
  /** Frees the slots of moves in other tests. */
  const endAll = (): Promise<unknown> => api.sql(`update storage_moves set state = 'finished'`);

  /** Presses Tab until an element has the focus. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      if ((await target.and(page.locator(':focus')).count()) === 1) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('The keyboard does not get there');
  }
  const overflowOf = (page: Page): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  /** One move in each state. */
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
    // The errors of a form, then the result of a dry run.
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible();
    await page.getByRole('link', { name: 'Choose the storage to move to' }).click();
    expect(await page.locator(':focus').getAttribute('name')).toBe('destination_storage_name');
    await page.getByLabel('From storage').selectOption('default');
    await page.getByLabel('To storage').first().selectOption('second');
    await page.waitForTimeout(2_000);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page
      .getByText(/\d+ projects with \d+ repositor(y|ies) would move from default to second/)
      .waitFor();
    await expectAccessible();
    expect(await page.getByLabel('From storage').inputValue()).toBe('default');
  });

  it('show the progress and the end of a move without reloading', async () => {
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
    // Steps are only shown, but the result of a move is announced.
    const said = page.locator('[role=status][data-part=news]');
    expect(await said.textContent()).toBe('');
    expect(await move.getByRole('button').count()).toBe(0);
    const error = '<img src=x> disk full';
    await change(`state = 'failed', error_message = '${error}'`);
    await move.getByText('Failed', { exact: true }).waitFor();
    await said.getByText(/^workshop\/live-\d+: Failed$/).waitFor();
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

  it('report the end of their updates after the session ended', async () => {
    const page = await adminPage();
    await addMove(api, { ownerId: await project('lost'), state: 'started' });
    await page.goto(PATH);
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Resume updates' }).click();
    await page.getByText('Progress is no longer updated. Please refresh.').waitFor();
    expect(await page.getByRole('button', { name: 'Resume updates' }).count()).toBe(0);
  });

  it('are scheduled using only the keyboard, and watched to their end', async () => {
    await endAll();
    const ownerId = await project('keys');
    const work = await new WorkingCopy().init();
    await work.commit({ 'README.md': 'Moved' });
    await seedRepository(api, projectRepository(ownerId), work);
    work.remove();
    const page = await adminPage();
    await page.goto(PATH);
    await tabTo(page, page.getByLabel('ID or path'));
    await page.keyboard.type(String(ownerId));
    await page.keyboard.press('Tab');
    await page.keyboard.type('second');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Schedule move', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByText('The move has been scheduled.').waitFor();
    const move = page.locator('.move', { hasText: /^\s*workshop\/keys-/ });
    await move.getByText('Finished', { exact: true }).waitFor();
    await move.getByText(/^Ended /).waitFor();
    expect(await api.sql('select repository_storage as at from projects where id = $1', [ownerId])).toEqual([
      { at: 'second' },
    ]);
  });

  it('need no scripts', async () => {
    await endAll();
    const ownerId = await project('plain');
    const page = await adminPage({ javaScriptEnabled: false });
    await page.goto(PATH);
    expect(await page.getByRole('button', { name: 'Pause updates' }).count()).toBe(0);
    await page.getByLabel('ID or path').fill('nothing/like/that');
    await page.getByRole('button', { name: 'Schedule move', exact: true }).click();
    await page.getByRole('link', { name: 'There is no such project' }).waitFor();
    await page.getByLabel('To storage').last().selectOption('second');
    const [row] = await api.sql<{ path: string }>('select full_path as path from projects where id = $1', [
      ownerId,
    ]);
    await page.getByLabel('ID or path').fill(row?.path ?? '');
    await page.getByRole('button', { name: 'Schedule move', exact: true }).click();
    await page.getByText('The move has been scheduled.').waitFor();
    const move = page.locator('.move', { hasText: row?.path ?? '' });
    await until(async () => {
      await page.getByRole('link', { name: 'Refresh' }).click();
      return (await move.getByText('Finished', { exact: true }).count()) === 1;
    });
    const failed = await addMove(api, { ownerId: await project('repeated'), state: 'failed' });
    await page.getByLabel('State').selectOption('failed');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(page.url()).toContain('state=failed');
    await page
      .locator(`[data-move="${failed}"]`)
      .getByRole('button', { name: /^Reschedule/ })
      .click();
    await page.getByText('The move has been scheduled.').waitFor();
  });
});
