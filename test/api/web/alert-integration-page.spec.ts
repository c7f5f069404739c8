import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import type { TestApi } from '../../support/api.js';
import { ESCAPED_NAME, HOSTILE_NAME, inputValue } from '../../support/applications.js';
import { buildAlertIntegration, integrationsPath } from '../../support/builders/alert-integration.js';
import { buildProjectTeam, type ProjectTeam } from '../../support/builders/project-team.js';
import { buildBrowser } from '../../support/builders/session.js';
import { PageClient } from '../../support/page-client.js';
import { borrowApi } from '../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;
let path: string;
let maintainer: PageClient;
let developer: PageClient;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  team = await buildProjectTeam(api);
  path = `/-/projects/${team.projectId}/alert_integrations`;
  maintainer = await browserOf(40);
  developer = await browserOf(30);
});

/** The browser of the team member with that role, with the page open. */
async function browserOf(level: number): Promise<PageClient> {
  const [member] = await api.sql<{ user_id: number }>(
    `select user_id from members where source_type = 'Project' and source_id = $1 and access_level = $2`,
    [team.projectId, level],
  );
  const browser = await buildBrowser(api, member?.user_id ?? 0);
  await browser.get(path);
  return browser;
}

const all = async (): Promise<AlertIntegrationRecord[]> =>
  (await team.maintainer.get<AlertIntegrationRecord[]>(integrationsPath(team.projectId))).body;

const FORM = {
  name: 'Grafana',
  type: 'http',
  active: '1',
  auto_close_incident: '1',
  external_url: '',
  token: '',
};

describe('the page of alert integrations', () => {
  it('creates an integration, and shows its URL and key', async () => {
    const form = await maintainer.get(`${path}/new`);
    expect([form.status, form.text.includes('<h1>New alert integration</h1>')]).toEqual([200, true]);
    expect(form.text).toMatch(/value="http"[^>]*checked/);
    expect(form.text).toMatch(/name="active"[^>]*checked/);
    const made = await maintainer.submit(path, { ...FORM, create_incident: '1' });
    const [integration] = await all();
    expect(integration).toMatchObject({
      name: 'Grafana',
      type: 'http',
      active: true,
      create_incident: true,
      auto_close_incident: true,
      send_email: false,
    });
    const page = `${path}/${integration?.id}`;
    expect([made.status, made.location]).toEqual([303, page]);
    const shown = await maintainer.get(page);
    expect(shown.text).toContain('The integration has been created.');
    expect([inputValue('url', shown), inputValue('key', shown)]).toEqual([
      integration?.url,
      integration?.token,
    ]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const list = await maintainer.get(path);
    expect(list.text).toContain(`<a href="${page}">Grafana</a>`);
    expect(list.text).not.toContain(integration?.token);
  });

  it.each([
    [{ name: ' ' }, 'name', 'Name is empty'],
    [{ type: 'external' }, 'external_url', 'Address of the tool can&#39;t be blank'],
    [
      { type: 'external', external_url: 'javascript:alert(1)' },
      'external_url',
      'Address of the tool is invalid',
    ],
  ])('refuses %j with the form and the errors', async (changes, name, text) => {
    await maintainer.get(`${path}/new`);
    const refused = await maintainer.submit(path, { ...FORM, ...changes });
    expect([refused.status, refused.text.includes('<title>Errors: New alert integration')]).toEqual([
      422,
      true,
    ]);
    expect(refused.text).toContain(`<a href="#f-${name}">${text}</a>`);
    expect(refused.text).toContain(`id="f-${name}-error"`);
    expect(await all()).toEqual([]);
  });

  it('changes, enables, disables, renews and removes the integration', async () => {
    const { id, token } = await buildAlertIntegration(team.maintainer, team.projectId);
    const page = `${path}/${id}`;
    const edit = await maintainer.get(`${page}/edit`);
    expect([inputValue('name', edit), edit.text.includes('external_url')]).toEqual(['Tool', false]);
    const saved = await maintainer.submit(page, {
      name: 'Other',
      send_email: '1',
      active: '1',
      _method: 'put',
    });
    expect([saved.status, saved.location]).toEqual([303, page]);
    expect(await all()).toMatchObject([
      { name: 'Other', send_email: true, auto_close_incident: false, active: true },
    ]);
    expect((await maintainer.submit(page, { name: '', _method: 'put' })).text).toContain(
      'Errors: Edit alert integration',
    );

    expect((await maintainer.get(path)).text).toContain('Switch off');
    await maintainer.submit(`${page}/active`, { active: '0', _method: 'put' });
    expect((await maintainer.get(page)).text).toContain('Switch on');
    expect(await all()).toMatchObject([{ active: false }]);

    expect((await maintainer.get(`${page}/reset`)).text).toContain('Reset the key of Other');
    expect(await all()).toMatchObject([{ token }]);
    expect((await maintainer.submit(`${page}/reset`, { _method: 'put' })).location).toBe(page);
    const renewed = await maintainer.get(page);
    expect(renewed.text).toContain('The integration has a new key.');
    expect(renewed.text).not.toContain(token);
    expect(await all()).toMatchObject([{ token: inputValue('key', renewed) }]);

    expect((await maintainer.get(`${page}/delete`)).text).toContain('Remove Other');
    const gone = await maintainer.submit(page, { _method: 'delete' });
    expect([gone.status, gone.location, await all()]).toEqual([303, path, []]);
    expect((await maintainer.get(path)).text).toContain('The integration has been removed.');
    expect((await maintainer.get(page)).status).toBe(404);
  });

  it('tells why an external tool cannot be enabled together with others', async () => {
    await buildAlertIntegration(team.maintainer, team.projectId);
    const external = {
      type: 'external',
      external_url: 'https://pager.example.com',
      token: 'of the tool',
      active: false,
    };
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId, external);
    const refused = await maintainer.submit(`${path}/${id}/active`, { active: '1', _method: 'put' });
    expect([
      refused.status,
      refused.text.includes('cannot be active together with other integrations'),
    ]).toEqual([422, true]);
    expect(inputValue('key', refused)).toBe('of the tool');
    expect(refused.text).not.toContain('Send test alert');
    const edit = await maintainer.get(`${path}/${id}/edit`);
    expect([inputValue('external_url', edit), inputValue('token', edit)]).toEqual([
      'https://pager.example.com',
      'of the tool',
    ]);
    const change = { name: 'Pager', external_url: 'https://other.example.com', token: '', _method: 'put' };
    expect((await maintainer.submit(`${path}/${id}`, change)).status).toBe(303);
    expect((await all()).at(-1)).toMatchObject({ external_url: 'https://other.example.com', token: null });
  });

  it('lets developers send tests, and shows them no keys', async () => {
    const { id, token } = await buildAlertIntegration(team.maintainer, team.projectId);
    const page = await developer.get(`${path}/${id}`);
    expect([page.status, page.text.includes('Send test alert')]).toEqual([200, true]);
    for (const secret of [token, 'name="url"', 'Reset key', 'Switch off', 'Edit</a>'])
      expect([secret, page.text.includes(secret)]).toEqual([secret, false]);
    const list = await developer.get(path);
    expect([list.text.includes('Tool'), list.text.includes('New integration')]).toEqual([true, false]);
    const sent = await developer.submit(`${path}/${id}/test`, { payload: '{"title": "<b>Drill"}' });
    expect([sent.status, sent.text.includes('#1 &lt;b&gt;Drill')]).toEqual([200, true]);
    expect(await api.sql('select title from alerts where project_id = $1', [team.projectId])).toEqual([
      { title: '<b>Drill' },
    ]);
    for (const [to, fields] of [
      [path, FORM],
      [`${path}/${id}`, { name: 'x', _method: 'put' }],
      [`${path}/${id}/active`, { active: '0', _method: 'put' }],
      [`${path}/${id}/reset`, { _method: 'put' }],
      [`${path}/${id}`, { _method: 'delete' }],
    ] as const)
      expect((await developer.submit(to, fields)).status).toBe(403);
    for (const to of ['new', `${id}/edit`, `${id}/reset`, `${id}/delete`])
      expect((await developer.get(`${path}/${to}`)).status).toBe(403);
    expect(await all()).toMatchObject([{ name: 'Tool', active: true, token }]);
  });

  it('accepts its own samples as tests', async () => {
    for (const type of ['http', 'prometheus']) {
      const { id } = await buildAlertIntegration(team.maintainer, team.projectId, { type });
      const page = await developer.get(`${path}/${id}`);
      const sample = /<textarea[^>]*>\n([^<]*)</.exec(page.text)?.[1] ?? '';
      const payload = sample.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      const sent = await developer.submit(`${path}/${id}/test`, { payload });
      expect([sent.status, sent.text.includes('The test alert has been accepted')]).toEqual([200, true]);
    }
    const made = await api.sql<{ severity: number }>(
      'select severity, monitoring_tool from alerts where project_id = $1 order by iid',
      [team.projectId],
    );
    expect(made).toEqual([
      { severity: 3, monitoring_tool: 'Forgeplane' },
      { severity: 3, monitoring_tool: 'Prometheus' },
    ]);
  });

  it.each([
    ['{"title": </textarea>', 'The payload is malformed JSON'],
    ['[]', 'The payload is no alert'],
    ['', 'The payload is malformed JSON'],
  ])('shows the errors of the payload %j, and keeps it', async (payload, text) => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId);
    const refused = await developer.submit(`${path}/${id}/test`, { payload });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/<a href="#f-payload">/);
    expect(refused.text).toContain(text);
    expect(refused.text).toContain(
      `\n${payload.replaceAll('"', '&quot;').replace('<', '&lt;').replace('>', '&gt;')}</textarea>`,
    );
    expect(await api.sql('select 1 from alerts where project_id = $1', [team.projectId])).toEqual([]);
  });

  it('shows names as text', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId, { name: HOSTILE_NAME });
    for (const to of ['', `/${id}`, `/${id}/edit`, `/${id}/reset`, `/${id}/delete`]) {
      const { text } = await maintainer.get(`${path}${to}`);
      expect([to, text.includes('<script>alert'), text.includes(ESCAPED_NAME)]).toEqual([to, false, true]);
    }
  });

  it('is hidden from others, and accepts no form without its token', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId);
    const other = await buildProjectTeam(api);
    const foreign = `/-/projects/${other.projectId}/alert_integrations`;
    for (const to of ['', `/${id}`, `/${id}/edit`]) {
      expect((await maintainer.get(`${foreign}${to}`)).status).toBe(404);
      const turnedAway = await new PageClient(api.url).get(`${path}${to}`);
      expect([turnedAway.status, turnedAway.location]).toEqual([302, '/users/sign_in']);
      expect((await (await browserOf(20)).get(`${path}${to}`)).status).toBe(403);
    }
    const forged = { authenticity_token: 'forged' };
    expect((await maintainer.submit(path, { ...FORM, ...forged })).status).toBe(422);
    expect((await maintainer.submit(`${path}/${id}`, { _method: 'delete', ...forged })).status).toBe(422);
    expect((await maintainer.submit(`${path}/${id}/test`, { payload: '{}', ...forged })).status).toBe(422);
    expect((await maintainer.get('/-/projects/root%2Fx/alert_integrations')).status).toBe(400);
    expect(await all()).toHaveLength(1);
  });
});
