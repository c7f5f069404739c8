import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import { IntegrationLookupQueries } from '#features/alerts/integrations/keys/integration-lookup.queries.js';
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

describe('integrations of a project', () => {
  it('are listed in pages', async () => {
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

  it('are not found in another project', async () => {
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
    expect(await storedIntegration(api, id)).toMatchObject({ active: true });
  });

  it('are only for Maintainers, and hidden without access to the project', async () => {
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

  it('are deleted with it', async () => {
    const { id } = await buildAlertIntegration(team.maintainer, team.projectId);
    await api.sql('delete from projects where id = $1', [team.projectId]);
    expect(await storedIntegration(api, id)).toBeUndefined();
  });
});

describe('changing an integration', () => {
  it('changes the given attributes, and keeps the others', async () => {
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

  it('requires an attribute to change', async () => {
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

  it('resets its key on request, and rejects the old key', async () => {
    const made = await buildAlertIntegration(team.maintainer, team.projectId);
    const { status, body } = await team.maintainer.post<AlertIntegrationRecord>(
      `${path}/${made.id}/reset_token`,
    );
    expect([status, body]).toEqual([
      201,
      { ...made, token: expect.stringMatching(/^[0-9a-f]{32}$/), updated_at: expect.any(String) },
    ]);
    expect(body.token).not.toBe(made.token);
    expect((await storedIntegration(api, made.id))?.key_digest).toEqual(digestToken(body.token ?? ''));
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, {
      ...EXTERNAL_TOOL,
      active: false,
    });
    expect((await team.maintainer.post(`${path}/${outside.id}/reset_token`)).status).toBe(400);
  });

  it('deletes it, unless it was changed meanwhile, and keeps its alerts', async () => {
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

  it('is recorded in the audit log, without keys', async () => {
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

describe('the URL and key of an integration', () => {
  const send = async (url: string, key: string | null): Promise<number> =>
    (
      await fetch(url.replace('http://forgeplane.test', api.url), {
        method: 'POST',
        headers: key === null ? {} : { Authorization: `Bearer ${key}` },
        body: '{"title": "Fire"}',
      })
    ).status;

  it.each([
    {},
    { type: 'prometheus' },
    { endpoint_identifier: 'legacy' },
    { type: 'prometheus', endpoint_identifier: 'legacy-prometheus' },
  ])('accept alerts while it exists and is enabled, with its current key only: %j', async (values) => {
    const { id, url, token } = await buildAlertIntegration(team.maintainer, team.projectId, values);
    const other = await buildAlertIntegration(team.maintainer, team.projectId);
    expect(await send(url, token)).toBe(200);
    expect([await send(url, other.token), await send(url, null)]).toEqual([401, 401]);
    const { body } = await team.maintainer.post<AlertIntegrationRecord>(`${path}/${id}/reset_token`);
    expect([await send(url, token), await send(url, body.token)]).toEqual([401, 200]);
    await team.maintainer.put(`${path}/${id}`, { name: 'Renamed', active: false });
    expect(await send(url, body.token)).toBe(403);
    await team.maintainer.put(`${path}/${id}`, { active: true });
    expect(await send(url, body.token)).toBe(200);
    await team.maintainer.delete(`${path}/${id}`);
    expect(await send(url, body.token)).toBe(401);
  });

  it('accept nothing for an external tool, even with its key', async () => {
    const token = 'key-of-the-tool';
    const outside = await buildAlertIntegration(team.maintainer, team.projectId, { ...EXTERNAL_TOOL, token });
    const url = `${api.url}/${team.path}/alerts/notify/pager/${outside.endpoint_identifier}.json`;
    expect(await send(url, token)).toBe(401);
  });
});

describe('the integration look-up of the intake', () => {
  it('finds the integration by each path of its project', async () => {
    const lookup = api.app.get(IntegrationLookupQueries, { strict: false });
    const {
      id,
      endpoint_identifier: identifier,
      token,
    } = await buildAlertIntegration(team.maintainer, team.projectId, { active: false });
    const found = {
      projectId: team.projectId,
      isShut: false,
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
