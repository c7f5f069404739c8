import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import type { TestApi } from '../support/api.js';
import { accessibilityProblems, describeWithBrowser, openWindow, startBrowser } from '../support/browser.js';
import { buildAlertIntegration, integrationsPath } from '../support/builders/alert-integration.js';
import { buildProject, type BuiltProject } from '../support/builders/project.js';
import { buildBrowser } from '../support/builders/session.js';
import { borrowApi } from '../support/shared-api.js';

/** Set it to look at the pages manually. */
const PICTURES = process.env['PICTURES'];

describeWithBrowser('alert integrations in a browser', () => {
  let api: TestApi;
  let browser: Browser;
  const open: BrowserContext[] = [];
  beforeAll(async () => {
    api = await borrowApi();
    browser = await startBrowser();
  });
  afterAll(async () => {
    for (const context of open) await context.close();
    await browser.close();
    await api.close();
  });

  async function pageOf(options: Parameters<typeof openWindow>[1] = {}): Promise<Page> {
    const context = await openWindow(browser, { baseURL: api.url, ...options });
    open.push(context);
    const value = (await buildBrowser(api, 1)).jar.get('_service_session') ?? '';
    await context.addCookies([{ name: '_service_session', value, url: api.url }]);
    return context.newPage();
  }
  const pathOf = ({ id }: BuiltProject): string => `/-/projects/${id}/alert_integrations`;
  const overflowOf = (page: Page): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  const picture = async (page: Page, name: string): Promise<void> => {
    if (PICTURES !== undefined)
      await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  };

  it.each([
    ['light', 1200],
    ['dark', 320],
  ] as const)('are accessible in %s at %i pixels', async (colorScheme, width) => {
    const project = await buildProject(api.root);
    const name = `Grafana of the ${'very '.repeat(12)}large cluster`;
    const { id } = await buildAlertIntegration(api.root, project.id, { name });
    await buildAlertIntegration(api.root, project.id, {
      type: 'prometheus',
      name: 'Alertmanager',
      active: false,
    });
    const page = await pageOf({ colorScheme, viewport: { width, height: 800 } });
    const path = pathOf(project);
    for (const [to, title] of [
      ['/-/projects', 'projects'],
      [path, 'list'],
      [`${path}/new`, 'new'],
      [`${path}/${id}`, 'one'],
      [`${path}/${id}/edit`, 'edit'],
      [`${path}/${id}/reset`, 'reset'],
      [`${path}/${id}/delete`, 'delete'],
    ] as const) {
      expect((await page.goto(to))?.status()).toBe(200);
      await picture(page, `${title}-${width}`);
      expect([to, await accessibilityProblems(page), await overflowOf(page)]).toEqual([to, [], 0]);
    }
  });

  it('are created, tested, renewed, disabled and removed without scripts', async () => {
    const project = await buildProject(api.root);
    const all = async (): Promise<AlertIntegrationRecord[]> =>
      (await api.root.get<AlertIntegrationRecord[]>(integrationsPath(project.id))).body;
    const page = await pageOf({ javaScriptEnabled: false });
    await page.goto('/-/projects');
    await page.getByRole('link', { name: new RegExp(`Alert integrations of .*${project.name}$`) }).click();
    await page.getByRole('link', { name: 'New integration' }).click();
    await page.getByLabel('Prometheus').check();
    await page.getByRole('button', { name: 'Create integration' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Alertmanager');
    await page.getByRole('button', { name: 'Create integration' }).click();
    await page.getByText('The integration has been created').waitFor();
    const [made] = await all();
    expect(made).toMatchObject({ name: 'Alertmanager', type: 'prometheus', active: true });
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe(made?.url);
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe(made?.token);

    await page.getByRole('button', { name: 'Send test alert' }).click();
    await page.getByText('The test alert has been accepted').waitFor();
    await picture(page, 'taken');
    await page.getByLabel('Payload').fill('{');
    await page.getByRole('button', { name: 'Send test alert' }).click();
    await page.getByRole('link', { name: 'The payload is malformed JSON' }).waitFor();
    await picture(page, 'refused');
    expect(await page.getByLabel('Payload').inputValue()).toBe('{');

    await page.getByRole('link', { name: 'Reset key' }).click();
    await page.getByRole('button', { name: 'Reset the key of Alertmanager' }).click();
    await page.getByText('The integration has a new key').waitFor();
    expect((await all())[0]?.token).not.toBe(made?.token);
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Your changes have been saved').waitFor();
    expect((await all())[0]?.active).toBe(false);
    await page.getByRole('link', { name: 'Remove Alertmanager' }).click();
    await page.getByRole('button', { name: 'Remove Alertmanager' }).click();
    await page.getByText('The integration has been removed').waitFor();
    expect(await all()).toEqual([]);
  });
});
