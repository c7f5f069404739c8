import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import { IntegrationLookup } from '#features/alerts/integrations/integration-lookup.queries.js';
import { startApi, type TestApi } from '../support/api.js';
import { buildAlertIntegration, integrationsPath } from '../support/builders/alert-integration.js';
import { buildProjectTeam, type ProjectTeam } from '../support/builders/project-team.js';

let api: TestApi;
let team: ProjectTeam;
let path: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  team = await buildProjectTeam(api);
  path = integrationsPath(team.projectId);
});

interface StoredIntegration {
  readonly key_digest: Buffer | null;
  readonly key_sealed: string | null;
  readonly active: boolean;
  readonly type: string;
}

const stored = async (id: number): Promise<StoredIntegration | undefined> =>
  (await api.sql<StoredIntegration>('select * from alert_integrations where id = $1', [id]))[0];

const activeTypes = async (): Promise<string[]> =>
  (
    await api.sql<StoredIntegration>(
      'select type from alert_integrations where project_id = $1 and active order by type',
      [team.projectId],
    )
  ).map(({ type }) => type);

const EXTERNAL = { type: 'external', name: 'Pager', external_url: 'https://pager.example.com/in' } as const;

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
    const row = await stored(id);
    expect(row?.key_digest).toEqual(digestToken(token ?? ''));
    expect(row?.key_sealed).not.toContain(token);
    const found = await team.maintainer.get<AlertIntegrationRecord>(`${path}/${id}`);
    expect([found.status, found.body]).toEqual([200, body]);
  });

  it('takes what is given of it', async () => {
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

  it("does not take a key of somebody's choice, but for tools outside", async () => {
    const token = 'a'.repeat(32);
    const made = await buildAlertIntegration(team.maintainer, team.projectId, { token, active: false });
    expect(made.token).not.toBe(token);
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, { ...EXTERNAL, token });
    expect(outside).toMatchObject({ token, url: EXTERNAL.external_url, external_url: EXTERNAL.external_url });
    expect((await stored(outside.id))?.key_digest).toBeNull();
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

  it('can be the one without an identifier, once', async () => {
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

  it('is one of 100 at most', async () => {
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

describe('integrations of a project', () => {
  it('are listed by pages', async () => {
    const made = [];
    for (const name of ['a', 'b', 'c'])
      made.push(await buildAlertIntegration(team.maintainer, team.projectId, { name }));
    const first = await team.maintainer.get<AlertIntegrationRecord[]>(`${path}?per_page=2`);
    expect(first.body).toEqual(made.slice(0, 2));
    expect([first.headers.get('x-total'), first.headers.get('x-next-page')]).toEqual(['3', '2']);
    const keyset = `${path}?pagination=keyset&order_by=id&sort=desc&per_page=2`;
    const walked = await team.maintainer.get<AlertIntegrationRecord[]>(keyset);
    expect(walked.body.map(({ name }) => name)).toEqual(['c', 'b']);
  });

  it('belong to it alone', async () => {
    const other = await buildProjectTeam(api);
    const { id } = await buildAlertIntegration(other.maintainer, other.projectId);
    const calls = [
      team.maintainer.get(`${path}/${id}`),
      team.maintainer.put(`${path}/${id}`, { active: false }),
      team.maintainer.delete(`${path}/${id}`),
      team.maintainer.post(`${path}/${id}/reset_token`),
      team.maintainer.post(`${path}/${id}/test`, {}),
      team.maintainer.get(`${path}/${Number.MAX_SAFE_INTEGER}`),
    ];
    for (const { status, body } of await Promise.all(calls))
      expect([status, body]).toEqual([404, { message: '404 Alert Integration Not Found' }]);
    expect(await stored(id)).toMatchObject({ active: true });
  });

  it('are for Maintainers; whoever sees no project sees none', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId);
    const statuses = async (
      who: keyof Pick<ProjectTeam, 'developer' | 'guest' | 'stranger'>,
    ): Promise<number[]> => {
      const client = team[who];
      const answers = [
        await client.get(path),
        await client.get(`${path}/${id}`),
        await client.post(path, { name: 'x' }),
        await client.put(`${path}/${id}`, { name: 'x' }),
        await client.post(`${path}/${id}/reset_token`),
        await client.delete(`${path}/${id}`),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await statuses('developer')).toEqual(Array(6).fill(403));
    expect(await statuses('guest')).toEqual(Array(6).fill(403));
    expect(await statuses('stranger')).toEqual(Array(6).fill(404));
    expect((await api.anonymous.get(path)).status).toBe(401);
    expect((await team.reporter.post(`${path}/${id}/test`, {})).status).toBe(403);
    expect((await team.stranger.post(`${path}/${id}/test`, {})).status).toBe(404);
    expect((await api.anonymous.post(`${path}/${id}/test`, {})).status).toBe(401);
  });

  it('go with it', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId);
    await api.sql('delete from projects where id = $1', [team.projectId]);
    expect(await stored(id)).toBeUndefined();
  });
});

describe('changing an integration', () => {
  it('takes what is given, and leaves what it is', async () => {
    const made = await buildAlertIntegration(team.maintainer, team.projectId);
    const changes = { name: 'Other', create_incident: true, send_email: true, auto_close_incident: false };
    const ignored = {
      type: 'prometheus',
      endpoint_identifier: 'legacy',
      token: 'mine',
      url: 'x',
      project_id: 1,
    };
    const { status, body } = await team.maintainer.put(`${path}/${made.id}`, { ...changes, ...ignored });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...made,
      ...changes,
      url: made.url.replace('/tool/', '/other/'),
      updated_at: expect.any(String),
    });
  });

  it('needs something to change', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId);
    const refused = await team.maintainer.put(`${path}/${id}`, {});
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { base: ['at least one parameter must be provided'] } },
    ]);
    expect((await team.maintainer.put(`${path}/${id}`, { name: ' ' })).body).toEqual({
      message: { name: ['is empty'] },
    });
    expect((await team.maintainer.put(`${path}/${id}`, { external_url: 'https://a' })).body).toEqual({
      message: { external_url: ['is only for external tools'] },
    });
  });

  it("gives it another key on demand; the former one is nobody's", async () => {
    const made = await buildAlertIntegration(team.maintainer, team.projectId);
    const { status, body } = await team.maintainer.post<AlertIntegrationRecord>(
      `${path}/${made.id}/reset_token`,
    );
    expect([status, body]).toEqual([
      201,
      { ...made, token: expect.stringMatching(/^[0-9a-f]{32}$/), updated_at: expect.any(String) },
    ]);
    expect(body.token).not.toBe(made.token);
    expect((await stored(made.id))?.key_digest).toEqual(digestToken(body.token ?? ''));
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, {
      ...EXTERNAL,
      active: false,
    });
    expect((await team.maintainer.post(`${path}/${outside.id}/reset_token`)).status).toBe(400);
  });

  it('removes it, unless it has changed meanwhile; its alerts stay', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId);
    await api.sql(
      `insert into alerts (project_id, iid, integration_id, title, fingerprint, started_at, payload)
       values ($1, 1, $2, 'Fire', '\\x00', now(), '{}')`,
      [team.projectId, id],
    );
    const stale = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await team.maintainer.delete(`${path}/${id}`, stale)).status).toBe(412);
    const gone = await team.maintainer.delete(`${path}/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await team.maintainer.get(`${path}/${id}`)).status).toBe(404);
    expect(
      await api.sql('select title, integration_id from alerts where project_id = $1', [team.projectId]),
    ).toEqual([{ title: 'Fire', integration_id: null }]);
  });

  it('is told to the audit log, without keys', async () => {
    const made = await buildAlertIntegration(team.maintainer, team.projectId);
    await team.maintainer.put(`${path}/${made.id}`, { active: false, name: 'Tool', create_incident: true });
    const { body } = await team.maintainer.post<AlertIntegrationRecord>(`${path}/${made.id}/reset_token`);
    await team.maintainer.delete(`${path}/${made.id}`);
    const events = await api.sql<{ details: Record<string, unknown> }>(
      `select details from audit_events where entity_type = 'Project' and entity_id = $1 order by id`,
      [team.projectId],
    );
    const target = { target_type: 'AlertIntegration', target_id: made.id, target_details: 'Tool' };
    expect(events.map(({ details }) => details)).toEqual([
      expect.objectContaining({ ...target, custom_message: `Created alert integration with id ${made.id}` }),
      expect.objectContaining({ ...target, change: 'active', from: true, to: false }),
      expect.objectContaining({ ...target, change: 'create_incident', from: false, to: true }),
      expect.objectContaining({
        ...target,
        custom_message: `Reset the key of alert integration with id ${made.id}`,
      }),
      expect.objectContaining({ ...target, custom_message: `Removed alert integration with id ${made.id}` }),
    ]);
    const text = JSON.stringify(events);
    expect([text.includes(made.token), text.includes(body.token ?? '')]).toEqual([false, false]);
  });
});

describe('a tool outside', () => {
  it('excludes all others while it is active', async () => {
    const inside = await buildAlertIntegration(team.maintainer, team.projectId, { active: false });
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, EXTERNAL);
    const on = { active: true };
    for (const refused of [
      await team.maintainer.put(`${path}/${inside.id}`, on),
      await team.maintainer.post(path, { name: 'x' }),
      await team.maintainer.post(path, { name: 'x', type: 'prometheus' }),
      await team.maintainer.post(path, EXTERNAL),
    ])
      expect([refused.status, refused.body]).toEqual([
        409,
        { message: 'An external incident tool is active: no other integration can be' },
      ]);
    expect((await team.maintainer.put(`${path}/${inside.id}`, { name: 'Still off' })).status).toBe(200);
    expect((await team.maintainer.put(`${path}/${outside.id}`, { active: false })).status).toBe(200);
    expect((await team.maintainer.put(`${path}/${inside.id}`, on)).status).toBe(200);
    const refused = await team.maintainer.put(`${path}/${outside.id}`, on);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message:
          'An external incident tool cannot be active beside other integrations: switch them off first',
      },
    ]);
    expect(await activeTypes()).toEqual(['http']);
  });

  it('keeps its address, and can have another', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId, EXTERNAL);
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

  it('is alone however many come at once', async () => {
    const inside = await buildAlertIntegration(team.maintainer, team.projectId, { active: false });
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, {
      ...EXTERNAL,
      active: false,
    });
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        team.maintainer.put(`${path}/${outside.id}`, { active: true }),
        team.maintainer.put(`${path}/${inside.id}`, { active: true }),
        team.maintainer.post(path, { name: `x${round}` }),
        team.maintainer.post(path, { ...EXTERNAL, name: `y${round}` }),
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

describe('what the intake finds', () => {
  it('is the integration of a project under each of its paths', async () => {
    const lookup = api.app.get(IntegrationLookup, { strict: false });
    const {
      id,
      endpoint_identifier: identifier,
      token,
    } = await buildAlertIntegration(team.maintainer, team.projectId, { active: false });
    const found = {
      projectId: team.projectId,
      archived: false,
      integrationId: id,
      type: 'http',
      active: false,
      keyDigest: digestToken(token),
    };
    expect(await lookup.find(team.path, identifier)).toEqual(found);
    expect(await lookup.find(team.path.toUpperCase(), identifier)).toEqual(found);
    const none = { ...found, integrationId: null, type: null, active: null, keyDigest: null };
    expect(await lookup.find(team.path, 'legacy')).toEqual(none);
    await api.root.put(`/projects/${team.projectId}`, { path: `${team.path.split('/')[1]}-new` });
    expect(await lookup.find(team.path, identifier)).toEqual(found);
    expect(await lookup.find(`${team.path}-new`, identifier)).toEqual(found);
    expect(await lookup.find('root', identifier)).toBeNull();
    await api.sql('update projects set pending_delete = true where id = $1', [team.projectId]);
    expect(await lookup.find(team.path, identifier)).toBeNull();
  });
});
