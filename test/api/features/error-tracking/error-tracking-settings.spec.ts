import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';

interface Key {
  readonly id: number;
  readonly active: boolean;
  readonly public_key: string;
  readonly tracker_dsn: string;
  readonly sentry_dsn: string;
}

const NO_SETTING = { message: '404 Error Tracking Setting Not Found' };
const NO_KEY = { message: '404 Client Key Not Found' };
const nothing = { project_name: null, tracker_external_url: null, sentry_external_url: null, api_url: null };

describe('error tracking', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const settings = (query = ''): string => `/projects/${team.projectId}/error_tracking/settings${query}`;
  const keysPath = (suffix: string | number = ''): string =>
    `/projects/${team.projectId}/error_tracking/client_keys${suffix === '' ? '' : `/${suffix}`}`;
  const keys = async (): Promise<Key[]> => (await team.maintainer.get<Key[]>(keysPath())).body;
  const created = async (): Promise<Key> => (await team.maintainer.post<Key>(keysPath())).body;

  beforeAll(async () => {
    api = await startApi();
  });
  beforeEach(async () => {
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('has no settings until they are put', async () => {
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { active: true }],
    ] as const) {
      const answer = await team.maintainer.send(method, settings(), body);
      expect([method, answer.status, answer.body]).toEqual([method, 404, NO_SETTING]);
    }
    const put = await team.maintainer.put(settings(), { active: true, integrated: true });
    expect([put.status, put.body]).toEqual([200, { active: true, integrated: true, ...nothing }]);
    expect((await team.maintainer.get(settings())).body).toEqual(put.body);
    await team.maintainer.put(settings(), { active: false, integrated: false });
    expect((await team.maintainer.get(settings())).body).toEqual({
      ...nothing,
      active: false,
      integrated: false,
    });
    const rows = await api.sql('select 1 from error_tracking_settings where project_id = $1', [
      team.projectId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('accepts parameters in the query or the body, and keeps attributes that are not given', async () => {
    const put = await team.maintainer.put(settings('?active=true&integrated=true'), {});
    expect(put.body).toMatchObject({ active: true, integrated: true });
    const patched = await team.maintainer.send('PATCH', `${settings('/')}?active=false`, {});
    expect([patched.status, patched.body]).toMatchObject([200, { active: false, integrated: true }]);
    const both = await team.maintainer.send('PATCH', settings(), { active: true, integrated: false });
    expect(both.body).toMatchObject({ active: true, integrated: false });
    const blank = await team.maintainer.send('PATCH', settings(), { active: true, integrated: '' });
    expect(blank.body).toMatchObject({ integrated: false });
    const none = await team.maintainer.send('PATCH', settings(), { active: null, integrated: true });
    expect(none.body).toMatchObject({ active: false, integrated: true });
  });

  it('reports missing, blank or non-boolean attributes, and changes nothing then', async () => {
    const missing = (name: string): object => ({ message: `400 (Bad request) "${name}" not given` });
    const cases: [string, object, object][] = [
      ['PUT', {}, missing('active')],
      ['PUT', { active: true }, missing('integrated')],
      ['PUT', { integrated: true, active: '' }, { message: { active: ['is empty'] } }],
      [
        'PUT',
        { active: 'perhaps', integrated: [] },
        { message: { active: ['is invalid'], integrated: ['is invalid'] } },
      ],
      ['PUT', { active: { $ne: 1 }, integrated: true }, { message: { active: ['is invalid'] } }],
      ['PATCH', { integrated: true }, missing('active')],
      ['PATCH', { active: 'no', integrated: 'never' }, { message: { integrated: ['is invalid'] } }],
      ['PATCH', { active: ' ' }, { message: { active: ['is invalid'] } }],
    ];
    for (const [method, body, problem] of cases) {
      const answer = await team.maintainer.send(method, settings(), body);
      expect([method, body, answer.status, answer.body]).toEqual([method, body, 400, problem]);
    }
    expect((await team.maintainer.get(settings())).status).toBe(404);
  });

  it('does not accept an external tracker, whatever is sent', async () => {
    const sent = {
      active: true,
      integrated: false,
      tracker_external_url: 'javascript:alert(1)',
      api_url: 'file:///',
    };
    expect((await team.maintainer.put(settings(), sent)).body).toEqual({
      ...nothing,
      active: true,
      integrated: false,
    });
  });

  it('creates a key when integrated tracking is enabled, unless one exists', async () => {
    await team.maintainer.put(settings(), { active: false, integrated: true });
    await team.maintainer.put(settings(), { active: true, integrated: false });
    expect(await keys()).toEqual([]);
    await Promise.all(
      [1, 2, 3, 4].map(() => team.maintainer.put(settings(), { active: true, integrated: true })),
    );
    const [first, ...others] = await keys();
    expect(others).toEqual([]);
    await team.maintainer.send('PATCH', settings(), { active: true });
    expect(await keys()).toEqual([first]);
    await team.maintainer.delete(keysPath(first?.id));
    await team.maintainer.send('PATCH', settings(), { active: true });
    expect(await keys()).toMatchObject([{ active: true }]);
  });

  it('creates, lists and removes keys without any settings', async () => {
    expect(await keys()).toEqual([]);
    const answer = await team.maintainer.post<Key>(keysPath());
    const { id, public_key: key } = answer.body;
    expect(key).toMatch(/^glet_[0-9a-f]{32}$/);
    const dsn = `http://${key}@forgeplane.test/api/v4/error_tracking/collector/${team.projectId}`;
    const record = { id, active: true, public_key: key, tracker_dsn: dsn, sentry_dsn: dsn };
    expect([answer.status, answer.body]).toEqual([201, record]);
    const second = await created();
    expect(await keys()).toEqual([record, second]);
    const page = await team.maintainer.get<Key[]>(`${keysPath()}?per_page=1&page=2`);
    expect(page.body).toEqual([second]);
    expect([page.headers.get('x-total'), page.headers.get('x-prev-page')]).toEqual(['2', '1']);

    const old = { 'If-Unmodified-Since': new Date(Date.now() - 86_400_000).toUTCString() };
    expect((await team.maintainer.delete(keysPath(id), old)).status).toBe(412);
    const removed = await team.maintainer.delete(keysPath(id));
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(await keys()).toEqual([second]);
    for (const unknown of [id, 999_999_999_999])
      expect((await team.maintainer.delete(keysPath(unknown))).body).toEqual(NO_KEY);
    expect((await team.maintainer.delete(keysPath('one'))).body).toEqual({
      message: { key_id: ['is invalid'] },
    });
  });

  it('removes the key that a body or query names, as a client sends it', async () => {
    const [first, second] = [await created(), await created()];
    expect((await team.maintainer.send('DELETE', keysPath(), { key_id: first.id })).status).toBe(204);
    expect((await team.maintainer.delete(`${keysPath()}?key_id=${second.id}`)).status).toBe(204);
    expect(await keys()).toEqual([]);
    const bare = await team.maintainer.send('DELETE', keysPath(), {});
    expect([bare.status, bare.body]).toEqual([400, { message: '400 (Bad request) "key_id" not given' }]);
    expect((await team.maintainer.send('DELETE', keysPath(), { key_id: first.id })).body).toEqual(NO_KEY);
  });

  it('does not find keys of other projects', async () => {
    const { id } = await created();
    const other = await buildProjectTeam(api);
    const foreign = `/projects/${other.projectId}/error_tracking/client_keys`;
    for (const answer of [
      await other.maintainer.delete(`${foreign}/${id}`),
      await other.maintainer.send('DELETE', foreign, { key_id: id }),
    ])
      expect([answer.status, answer.body]).toEqual([404, NO_KEY]);
    expect(await keys()).toHaveLength(1);
  });

  it('limits the number of keys', async () => {
    await api.sql(
      `insert into error_tracking_client_keys (project_id, public_key)
       select $1::bigint, 'k' || $1::bigint || '_' || n from generate_series(1, 999) n`,
      [team.projectId],
    );
    expect((await team.maintainer.post(keysPath())).status).toBe(201);
    expect((await team.maintainer.post(keysPath())).status).toBe(400);
  });

  it('is only for Maintainers', async () => {
    const { id } = await created();
    const calls: [string, string, object?][] = [
      ['GET', settings()],
      ['PUT', settings(), { active: true, integrated: true }],
      ['PATCH', settings(), { active: true }],
      ['GET', keysPath()],
      ['POST', keysPath()],
      ['DELETE', keysPath(id)],
      ['DELETE', keysPath(), { key_id: id }],
    ];
    const open = await buildProjectTeam(api, 'public');
    for (const [method, path, body] of calls) {
      const statusOf = async (client: typeof team.guest, at = path): Promise<number> =>
        (await client.send(method, at, body)).status;
      for (const member of [team.guest, team.reporter, team.developer])
        expect([method, path, await statusOf(member)]).toEqual([method, path, 403]);
      expect([method, path, await statusOf(team.stranger)]).toEqual([method, path, 404]);
      const inOpen = path.replace(`/${team.projectId}/`, `/${open.projectId}/`);
      expect([method, await statusOf(api.anonymous, inOpen)]).toEqual([method, 401]);
      expect([method, await statusOf(open.stranger, inOpen)]).toEqual([method, 403]);
    }
    expect(await keys()).toHaveLength(1);
  });

  it('audits every change', async () => {
    await team.maintainer.put(settings(), { active: true, integrated: true });
    await team.maintainer.put(settings(), { active: true, integrated: true });
    await team.maintainer.send('PATCH', settings(), { active: false });
    const [key] = await keys();
    await team.maintainer.delete(keysPath(key?.id));
    const events = await api.sql<{ details: Record<string, unknown> }>(
      `select details from audit_events where entity_type = 'Project' and entity_id = $1 order by id`,
      [team.projectId],
    );
    expect(events.map(({ details }) => details)).toMatchObject([
      { event_name: 'error_tracking_client_key_created' },
      { change: 'active', from: false, to: true },
      { change: 'integrated', from: false, to: true },
      { change: 'active', from: true, to: false },
      { event_name: 'error_tracking_client_key_removed', target_id: key?.id },
    ]);
    expect(JSON.stringify(events)).not.toContain(key?.public_key);
  });

  it('is deleted with its project', async () => {
    await team.maintainer.put(settings(), { active: true, integrated: true });
    await api.sql('update projects set pending_delete = true where id = $1', [team.projectId]);
    expect((await api.root.put(settings(), { active: false, integrated: true })).status).toBe(404);
    await api.sql('delete from projects where id = $1', [team.projectId]);
    const left = await api.sql(
      `select project_id from error_tracking_settings where project_id = $1
       union all select project_id from error_tracking_client_keys where project_id = $1`,
      [team.projectId],
    );
    expect(left).toEqual([]);
  });
});

describe('the DSN of a service below a path', () => {
  it('keeps the port and the path', async () => {
    const api = await startApi({ EXTERNAL_URL: 'https://forge.example:8443/tools/' });
    try {
      const { projectId, maintainer } = await buildProjectTeam(api);
      const { body } = await maintainer.post<Key>(`/projects/${projectId}/error_tracking/client_keys`);
      expect(body.sentry_dsn).toBe(
        `https://${body.public_key}@forge.example:8443/tools/api/v4/error_tracking/collector/${projectId}`,
      );
    } finally {
      await api.close();
    }
  });
});
