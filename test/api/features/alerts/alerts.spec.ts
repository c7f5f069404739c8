import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { insertAlert, insertIntegration, type AlertValues } from '../../../support/builders/alert-rows.js';
import { buildEnvironment } from '../../../support/builders/environment.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Item {
  readonly iid: number;
  readonly status: string;
  readonly payload: unknown;
  readonly details: unknown;
}

const MINUTE = 60_000;
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE);

describe('alerts of a project', () => {
  let api: TestApi;
  let team: ProjectTeam;

  const at = (suffix: string | number = '', project = team.projectId): string =>
    `/projects/${project}/alert_management_alerts${suffix === '' ? '' : `/${suffix}`}`;
  const insert = (values: AlertValues = {}): Promise<number> => insertAlert(api, team.projectId, values);
  const list = async (query: string, project = team.projectId): Promise<number[]> =>
    (await team.developer.get<Item[]>(`${at('', project)}?${query}`)).body.map(({ iid }) => iid);
  const userId = async (client: ProjectTeam['developer']): Promise<number> =>
    (await client.get<{ id: number }>('/user')).body.id;
  const idOf = async (iid: number): Promise<number> => {
    const sql = 'select id from alerts where project_id = $1 and iid = $2';
    return (await api.sql<{ id: number }>(sql, [team.projectId, iid]))[0]?.id ?? 0;
  };

  beforeAll(async () => {
    api = await borrowApi();
  });
  beforeAll(async () => {
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('are shown completely to Developers', async () => {
    const { id: environmentId } = await buildEnvironment(team.developer, team.projectId, { name: 'eu/live' });
    const payload = { title: 'Disk full', severity: 'high', team: { name: 'db' }, hosts: ['a', 'b'] };
    const iid = await insert({ title: 'Disk full', severity: 'high', environmentId, payload, service: 'db' });
    const issue = await buildIssue(team.developer, team.projectId);
    await api.sql(`update alerts set issue_id = $1, runbook = 'https://run.book' where id = $2`, [
      issue.id,
      await idOf(iid),
    ]);
    const { status, body } = await team.developer.get<Item>(at(iid));
    expect(status).toBe(200);
    expect(body).toEqual({
      iid,
      title: 'Disk full',
      description: null,
      severity: 'high',
      status: 'triggered',
      service: 'db',
      monitoring_tool: null,
      hosts: [],
      environment: expect.objectContaining({ id: environmentId, name: 'eu/live' }),
      fingerprint: expect.stringMatching(/^[0-9a-f]{40}$/),
      started_at: expect.any(String),
      ended_at: null,
      events: 1,
      assignees: [],
      runbook: 'https://run.book',
      query: null,
      y_label: null,
      incident_markdown: null,
      details: { team: { name: 'db' } },
      issue_iid: issue.iid,
      payload,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await team.developer.get<Item[]>(at())).body).toEqual([body]);

    expect((await team.developer.get(at(999))).body).toEqual({ message: '404 Alert Not Found' });
    expect((await team.developer.get(at('x'))).status).toBe(400);
    const other = await buildProjectTeam(api);
    expect((await other.developer.get(at(iid, other.projectId))).body).toEqual({
      message: '404 Alert Not Found',
    });
    expect((await other.developer.get(at(iid))).body).toEqual({ message: '404 Project Not Found' });
  });

  it('are hidden below Developers, even in public projects', async () => {
    const open = await buildProjectTeam(api, 'public');
    const iid = await insertAlert(api, open.projectId);
    for (const [method, path] of [
      ['GET', at('', open.projectId)],
      ['GET', at(iid, open.projectId)],
      ['PUT', at(iid, open.projectId)],
      ['POST', at(`${iid}/replay`, open.projectId)],
    ] as const) {
      const body = method === 'PUT' ? { status: 'ignored' } : undefined;
      for (const client of [open.reporter, open.guest, open.stranger])
        expect([method, path, (await client.send(method, path, body)).status]).toEqual([method, path, 403]);
      expect((await api.anonymous.send(method, path, body)).status).toBe(401);
    }
    expect((await open.maintainer.get<Item>(at(iid, open.projectId))).body.status).toBe('triggered');
  });

  it('are filtered and ordered', async () => {
    const { projectId, developer, maintainer } = await buildProjectTeam(api);
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, $2, 30)`,
      [projectId, await userId(team.developer)],
    );
    const { id: environmentId } = await buildEnvironment(developer, projectId, { name: 'live' });
    const add = (values: AlertValues): Promise<number> => insertAlert(api, projectId, values);
    const a = await add({
      title: 'Disk 100% full',
      severity: 'low',
      startedAt: minutesAgo(1),
      environmentId,
    });
    const b = await add({ severity: 'critical', startedAt: minutesAgo(3), status: 'acknowledged' });
    const c = await add({ severity: 'critical', startedAt: minutesAgo(2), service: 'disk_1' });
    const d = await add({ severity: 'info', startedAt: minutesAgo(4), status: 'resolved', environmentId });
    const developerId = await userId(developer);
    await maintainer.put(at(b, projectId), { assignee_ids: [developerId] });
    const { username } = (await developer.get<{ username: string }>('/user')).body;

    for (const [query, expected] of [
      ['', [a, c, b, d]],
      ['sort=asc', [d, b, c, a]],
      ['order_by=severity', [c, b, a, d]],
      ['order_by=severity&sort=asc', [d, a, b, c]],
      ['order_by=created_at', [d, c, b, a]],
      ['order_by=iid&sort=asc', [a, b, c, d]],
      ['status=triggered', [a, c]],
      ['status=resolved&order_by=id', [d]],
      ['severity=critical', [c, b]],
      ['severity=critical&status=triggered', [c]],
      ['severity=unknown', []],
      ['environment=live', [a, d]],
      ['environment=none', []],
      ['search=DISK', [a, c]],
      ['search=disk_', [c]],
      ['search=100%25', [a]],
      ['search=%5c', []],
      [`assignee_id=${developerId}`, [b]],
      [`assignee_username=${username.toUpperCase()}`, [b]],
      ['assignee_id=Any', [b]],
      ['assignee_id=None', [a, c, d]],
      ['per_page=2&page=2', [b, d]],
    ] as const)
      expect([query, await list(query, projectId)]).toEqual([query, expected]);

    const whole = await developer.get<Item[]>(`${at('', projectId)}?per_page=3`);
    expect(whole.headers.get('x-total')).toBe('4');
    const filtered = await developer.get<Item[]>(`${at('', projectId)}?per_page=1&status=triggered`);
    expect(filtered.headers.get('x-total')).toBe('2');
    const keyset = await developer.get<Item[]>(
      `${at('', projectId)}?pagination=keyset&order_by=id&sort=asc&per_page=3`,
    );
    expect(keyset.body.map(({ iid }) => iid)).toEqual([a, b, c]);
    const next = /<http:\/\/forgeplane.test([^>]+)>; rel="next"/.exec(keyset.headers.get('link') ?? '')?.[1];
    expect((await developer.get<Item[]>(next ?? '')).body.map(({ iid }) => iid)).toEqual([d]);

    for (const query of [
      'status=open',
      'severity=0',
      'order_by=title',
      'sort=up',
      'assignee_id=me',
      'status[]=x',
    ]) {
      const answer = await developer.get(`${at('', projectId)}?${query}`);
      const name = query.split(/=|\[/)[0] ?? '';
      expect([query, answer.status, answer.body]).toEqual([
        query,
        400,
        { message: { [name]: [expect.any(String)] } },
      ]);
    }
  });

  it('show payloads in lists unless they are large', async () => {
    const { projectId, developer } = await buildProjectTeam(api);
    const texts = [10, 15_000, 17_000, 900_000].map((size) => 'x'.repeat(size));
    // Incompressible values are stored differently.
    texts.push(randomBytes(900).toString('base64'), randomBytes(15_000).toString('base64'));
    for (const text of texts) await insertAlert(api, projectId, { payload: { text } });
    const listed = await developer.get<Item[]>(`${at('', projectId)}?order_by=iid&sort=asc`);
    expect(listed.body.map(({ payload }) => JSON.stringify(payload).length)).toEqual([
      21, 15_011, 4, 4, 1_211, 4,
    ]);
    expect(listed.body.map(({ details }) => details === null)).toEqual([
      false,
      false,
      true,
      true,
      false,
      true,
    ]);
    const one = await developer.get<Item>(at(4, projectId));
    expect(one.body.payload).toEqual({ text: 'x'.repeat(900_000) });
    expect(one.body.details).toEqual(one.body.payload);
  });

  it('are deleted with their project', async () => {
    const { projectId } = await buildProjectTeam(api);
    await insertAlert(api, projectId, { integrationId: await insertIntegration(api, projectId) });
    await api.sql('delete from projects where id = $1', [projectId]);
    expect(await api.sql('select 1 from alerts where project_id = $1', [projectId])).toEqual([]);
  });
});
