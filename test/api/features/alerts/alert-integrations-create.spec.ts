import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import type { TestApi } from '../../../support/api.js';
import {
  buildAlertIntegration,
  EXTERNAL_TOOL,
  integrationsPath,
  storedIntegration,
} from '../../../support/builders/alert-integration.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;
let path: string;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  team = await buildProjectTeam(api);
  path = integrationsPath(team.projectId);
});

const activeTypes = async (): Promise<string[]> =>
  (
    await api.sql<{ type: string }>(
      'select type from alert_integrations where project_id = $1 and active order by type',
      [team.projectId],
    )
  ).map(({ type }) => type);

describe('a new integration', () => {
  it('has a URL and a key', async () => {
    const { status, body } = await team.maintainer.post<AlertIntegrationRecord>(path, { name: ' Büro 1 ' });
    expect(status).toBe(201);
    const { id, token, endpoint_identifier: identifier, created_at, updated_at, ...others } = body;
    expect(others).toEqual({
      type: 'http',
      name: 'Büro 1',
      active: true,
      url: `http://forgeplane.test/${team.path}/alerts/notify/buro-1/${identifier}.json`,
      create_incident: false,
      auto_close_incident: true,
      send_email: false,
      external_url: null,
    });
    expect([token, identifier]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ]);
    expect([created_at, updated_at].every((time) => Date.parse(time) > 0)).toBe(true);
    const row = await storedIntegration(api, id);
    expect(row?.key_digest).toEqual(digestToken(token ?? ''));
    expect(row?.key_sealed).not.toContain(token);
    const found = await team.maintainer.get<AlertIntegrationRecord>(`${path}/${id}`);
    expect([found.status, found.body]).toEqual([200, body]);
  });

  it('uses the given attributes', async () => {
    const values = {
      name: 'Alertmanager',
      type: 'prometheus',
      active: false,
      create_incident: true,
      auto_close_incident: false,
      send_email: true,
    };
    const made = await buildAlertIntegration(team.maintainer, team.projectId, values);
    expect(made).toMatchObject(values);
  });

  it('cannot have a chosen key, unless it is an external tool', async () => {
    const token = 'a'.repeat(32);
    const made = await buildAlertIntegration(team.maintainer, team.projectId, { token, active: false });
    expect(made.token).not.toBe(token);
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, { ...EXTERNAL_TOOL, token });
    expect(outside).toMatchObject({
      token,
      url: EXTERNAL_TOOL.external_url,
      external_url: EXTERNAL_TOOL.external_url,
    });
    expect((await storedIntegration(api, outside.id))?.key_digest).toBeNull();
    const { body } = await team.maintainer.put<AlertIntegrationRecord>(`${path}/${outside.id}`, {
      token: '',
    });
    expect(body.token).toBeNull();
  });

  it.each([
    [{}, '400 (Bad request) "name" not given'],
    [{ name: ' ' }, { name: ['is empty'] }],
    [{ name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [{ name: 'x', type: 'email' }, { type: ['does not have a valid value'] }],
    [{ name: 'x', active: 'perhaps' }, { active: ['is invalid'] }],
    [{ name: ['x'] }, { name: ['is invalid'] }],
    [{ name: 'a\0b' }, { name: ['is invalid'] }],
    [{ name: 'x', type: 'external' }, '400 (Bad request) "external_url" not given'],
    [{ name: 'x', type: 'external', external_url: '' }, { external_url: ["can't be blank"] }],
    [{ name: 'x', type: 'external', external_url: 'javascript:alert(1)' }, { external_url: ['is invalid'] }],
    [{ name: 'x', type: 'external', external_url: 'https://a:b@c' }, { external_url: ['is invalid'] }],
    [{ name: 'x', external_url: 'https://a.example' }, { external_url: ['is only for external tools'] }],
    [{ name: 'x', endpoint_identifier: 'abc' }, { endpoint_identifier: ['does not have a valid value'] }],
    [
      { name: 'x', type: 'prometheus', endpoint_identifier: 'legacy' },
      { endpoint_identifier: ['does not have a valid value'] },
    ],
  ])('is refused for %j', async (values, message) => {
    const refused = await team.maintainer.post(path, values);
    expect([refused.status, refused.body]).toEqual([400, { message }]);
    expect((await team.maintainer.get(path)).body).toEqual([]);
  });

  it('can have a URL without an identifier, once per type', async () => {
    const legacy = { endpoint_identifier: 'legacy' };
    const made = await buildAlertIntegration(team.maintainer, team.projectId, legacy);
    expect(made.url).toBe(`http://forgeplane.test/${team.path}/alerts/notify.json`);
    const again = await team.maintainer.post(path, { name: 'x', ...legacy });
    expect([again.status, again.body]).toEqual([
      400,
      { message: { endpoint_identifier: ['has already been taken'] } },
    ]);
    const prometheus = { type: 'prometheus', endpoint_identifier: 'legacy-prometheus' };
    const other = await buildAlertIntegration(team.maintainer, team.projectId, prometheus);
    expect(other.url).toBe(`http://forgeplane.test/${team.path}/prometheus/alerts/notify.json`);
  });

  it('is refused if the project has 100', async () => {
    await api.sql(
      `insert into alert_integrations (project_id, type, name, endpoint_identifier)
       select $1, 'http', 'n' || n, 'i' || n from generate_series(1, 99) n`,
      [team.projectId],
    );
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await team.maintainer.post(path, { name: 'x' })).status),
    );
    expect(statuses.sort()).toEqual([201, 400, 400]);
  });
});

describe('an external tool', () => {
  it('excludes all others while it is active', async () => {
    const inside = await buildAlertIntegration(team.maintainer, team.projectId, { active: false });
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, EXTERNAL_TOOL);
    const on = { active: true };
    for (const refused of [
      await team.maintainer.put(`${path}/${inside.id}`, on),
      await team.maintainer.post(path, { name: 'x' }),
      await team.maintainer.post(path, { name: 'x', type: 'prometheus' }),
      await team.maintainer.post(path, EXTERNAL_TOOL),
    ])
      expect([refused.status, refused.body]).toEqual([
        409,
        { message: 'An external incident tool is active: no other integration can be active' },
      ]);
    expect((await team.maintainer.put(`${path}/${inside.id}`, { name: 'Still off' })).status).toBe(200);
    expect((await team.maintainer.put(`${path}/${outside.id}`, { active: false })).status).toBe(200);
    expect((await team.maintainer.put(`${path}/${inside.id}`, on)).status).toBe(200);
    const refused = await team.maintainer.put(`${path}/${outside.id}`, on);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message:
          'An external incident tool cannot be active together with other integrations: turn them off first',
      },
    ]);
    expect(await activeTypes()).toEqual(['http']);
  });

  it('always has an address, which can be changed', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId, EXTERNAL_TOOL);
    const put = (url: unknown) =>
      team.maintainer.put<AlertIntegrationRecord>(`${path}/${id}`, { external_url: url });
    expect((await put('')).body).toEqual({ message: { external_url: ["can't be blank"] } });
    expect((await put(null)).body).toEqual({ message: { external_url: ["can't be blank"] } });
    expect((await put('ftp://a')).body).toEqual({ message: { external_url: ['is invalid'] } });
    expect((await put('http://other.example')).body).toMatchObject({
      url: 'http://other.example',
      external_url: 'http://other.example',
    });
  });

  it('loses its key when its address changes, unless a key is given with it', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId, {
      ...EXTERNAL_TOOL,
      token: 'tool-key',
    });
    const tokenAfter = async (changes: object): Promise<unknown> =>
      (await team.maintainer.put<AlertIntegrationRecord>(`${path}/${id}`, changes)).body.token;
    expect(await tokenAfter({ name: 'Tool', external_url: EXTERNAL_TOOL.external_url })).toBe('tool-key');
    expect(await tokenAfter({ external_url: 'https://new.example', token: 'new-key' })).toBe('new-key');
    expect(await tokenAfter({ external_url: 'https://other.example' })).toBeNull();
  });

  it('is exclusive, even with many simultaneous requests', async () => {
    const inside = await buildAlertIntegration(team.maintainer, team.projectId, { active: false });
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, {
      ...EXTERNAL_TOOL,
      active: false,
    });
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        team.maintainer.put(`${path}/${outside.id}`, { active: true }),
        team.maintainer.put(`${path}/${inside.id}`, { active: true }),
        team.maintainer.post(path, { name: `x${round}` }),
        team.maintainer.post(path, { ...EXTERNAL_TOOL, name: `y${round}` }),
      ]);
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
      expect(statuses.has(409)).toBe(true);
      const types = await activeTypes();
      expect(types.includes('external') ? types.length : 1).toBe(1);
      await api.sql('update alert_integrations set active = false where project_id = $1', [team.projectId]);
    }
  });
});
