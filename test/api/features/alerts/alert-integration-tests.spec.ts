import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildAlertIntegration, integrationsPath } from '../../../support/builders/alert-integration.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;
let testPath: string;
let integration: Awaited<ReturnType<typeof buildAlertIntegration>>;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  team = await buildProjectTeam(api);
  integration = await buildAlertIntegration(team.maintainer, team.projectId);
  testPath = `${integrationsPath(team.projectId)}/${integration.id}/test`;
});

const alerts = (): Promise<{ title: string; integration_id: number }[]> =>
  api.sql('select title, integration_id from alerts where project_id = $1 order by iid', [team.projectId]);

const json = { 'Content-Type': 'application/json' };

describe('a test alert', () => {
  it('is processed like any other, for developers too', async () => {
    const sent = await team.developer.post(testPath, { title: 'Drill', severity: 'low' });
    expect([sent.status, sent.body]).toEqual([200, [{ iid: 1, title: 'Drill' }]]);
    const again = await team.maintainer.post(testPath, {});
    expect([again.status, again.body]).toEqual([200, [{ iid: 2, title: 'New: Alert' }]]);
    expect(await alerts()).toEqual([
      { title: 'Drill', integration_id: integration.id },
      { title: 'New: Alert', integration_id: integration.id },
    ]);
  });

  it('takes the whole body as the payload, and nothing in it as a parameter', async () => {
    const payload = {
      title: 'Drill',
      id: 1,
      integration_id: 999,
      sudo: 'root',
      access_token: 'wrong',
      private_token: 'wrong',
      job_token: 'wrong',
      _method: 'delete',
    };
    const sent = await team.developer.post(testPath, payload);
    expect([sent.status, sent.body]).toEqual([200, [{ iid: 1, title: 'Drill' }]]);
    expect(await alerts()).toEqual([{ title: 'Drill', integration_id: integration.id }]);
  });

  it.each(['', '{', 'nonsense', '{"title":"a"}}', `${'['.repeat(10_000)}${']'.repeat(10_000)}`])(
    'is refused if it cannot be read: %.20j',
    async (body) => {
      const refused = await team.developer.send('POST', testPath, body, json);
      expect([refused.status, await alerts()]).toEqual([400, []]);
    },
  );

  it('is refused if it is too large', async () => {
    const refused = await team.developer.post(testPath, { title: 'x'.repeat(5 * 1024 * 1024) });
    expect([refused.status, refused.body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
    expect(await alerts()).toEqual([]);
  });

  it('is refused for a disabled integration, an archived project and an external tool', async () => {
    const path = integrationsPath(team.projectId);
    await team.maintainer.put(`${path}/${integration.id}`, { active: false });
    const off = await team.developer.post(testPath, {});
    expect([off.status, off.body]).toEqual([
      403,
      { message: '403 Forbidden - The integration is turned off' },
    ]);
    const tool = { type: 'external', external_url: 'https://pager.example.com' };
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, tool);
    const refused = await team.developer.post(`${path}/${outside.id}/test`, {});
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { base: ['An external tool receives its alerts itself'] } },
    ]);
    await team.maintainer.delete(`${path}/${outside.id}`);
    await team.maintainer.put(`${path}/${integration.id}`, { active: true });
    await api.sql('update projects set archived = true where id = $1', [team.projectId]);
    expect((await team.developer.post(testPath, {})).status).toBe(403);
    expect(await alerts()).toEqual([]);
  });
});
