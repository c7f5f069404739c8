import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AlertsChanged } from '#features/alerts/alerts-changed.event.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { insertAlert, insertIntegration, type AlertValues } from '../../../support/builders/alert-rows.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';

interface Item {
  readonly iid: number;
  readonly status: string;
  readonly ended_at: string | null;
  readonly assignees: { readonly id: number }[];
}

describe('updated and replayed alerts', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let heard: AlertsChanged[] = [];

  const at = (suffix: string | number = '', project = team.projectId): string =>
    `/projects/${project}/alert_management_alerts${suffix === '' ? '' : `/${suffix}`}`;
  const insert = (values: AlertValues = {}): Promise<number> => insertAlert(api, team.projectId, values);
  const userId = async (client: ProjectTeam['developer']): Promise<number> =>
    (await client.get<{ id: number }>('/user')).body.id;
  const idOf = async (iid: number): Promise<number> => {
    const sql = 'select id from alerts where project_id = $1 and iid = $2';
    return (await api.sql<{ id: number }>(sql, [team.projectId, iid]))[0]?.id ?? 0;
  };

  beforeAll(async () => {
    api = await startApi();
    api.app.get(DomainEvents).on(AlertsChanged, (event) => void heard.push(event));
  });
  beforeAll(async () => {
    team = await buildProjectTeam(api);
    heard = [];
  });
  afterAll(() => api.close());

  it('can go from any status to any other, and have an end time only while resolved', async () => {
    const statuses = ['triggered', 'acknowledged', 'resolved', 'ignored'] as const;
    const iid = await insert();
    const alertId = await idOf(iid);
    const actorId = await userId(team.developer);
    let last = 'triggered';
    for (const from of statuses)
      for (const to of statuses) {
        heard = [];
        for (const status of [from, to]) {
          const { status: code, body } = await team.developer.put<Item>(at(iid), { status });
          expect([code, body.status, body.ended_at === null]).toEqual([200, status, status !== 'resolved']);
          const isChange = status !== last;
          const told = { projectId: team.projectId, alertId, kind: 'status', status };
          expect(heard.splice(0)).toEqual(isChange ? [{ changes: [told], actorId }] : []);
          last = status;
        }
      }
  });

  it('keep their times if nothing changes', async () => {
    const iid = await insert({ status: 'resolved' });
    const before = (await team.developer.get<Item>(at(iid))).body;
    const { body } = await team.developer.put<Item>(at(iid), { status: 'resolved', assignee_ids: [] });
    expect(body).toEqual(before);
  });

  it('are not reopened if another alert with the same payload is open', async () => {
    const resolved = await insert({ fingerprint: 'same', status: 'resolved' });
    const open = await insert({ fingerprint: 'same', status: 'ignored' });
    const answer = await team.developer.put(at(resolved), { status: 'triggered' });
    expect([answer.status, answer.body]).toEqual([
      409,
      { message: '409 Another alert with the same payload is open' },
    ]);
    expect((await team.developer.get<Item>(at(resolved))).body).toMatchObject({ status: 'resolved' });
    await team.developer.put(at(open), { status: 'resolved' });
    expect((await team.developer.put(at(resolved), { status: 'triggered' })).status).toBe(200);
    // If repetitions are not grouped, as on the free plan, several may be open.
    const alone = await insert({ fingerprint: 'same', status: 'resolved', grouped: false });
    expect((await team.developer.put(at(alone), { status: 'triggered' })).status).toBe(200);
  });

  it('are reopened only once by two simultaneous requests', async () => {
    const iids = [
      await insert({ fingerprint: 'race', status: 'resolved' }),
      await insert({ fingerprint: 'race', status: 'resolved' }),
    ];
    const answers = await Promise.all(
      iids.map((iid) => team.developer.put(at(iid), { status: 'triggered' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('are assigned to users who can see them', async () => {
    const iid = await insert();
    const [developer, maintainer, reporter, stranger] = await Promise.all(
      [team.developer, team.maintainer, team.reporter, team.stranger].map(userId),
    );
    const assign = async (ids: unknown): Promise<number[]> => {
      const { status, body } = await team.developer.put<Item>(at(iid), { assignee_ids: ids });
      expect(status).toBe(200);
      return body.assignees.map(({ id }) => id);
    };
    heard = [];
    expect(await assign([developer, maintainer, reporter, stranger, 999_999, developer])).toEqual(
      [developer, maintainer].sort((one, other) => Number(one) - Number(other)),
    );
    expect(await assign([maintainer])).toEqual([maintainer]);
    expect(await assign([0])).toEqual([]);
    expect(await assign(String(developer))).toEqual([developer]);
    expect(heard).toEqual([]);
    await api.sql(`update users set state = 'blocked' where id = $1`, [maintainer]);
    expect(await assign([maintainer])).toEqual([]);
    await api.sql(`update users set state = 'active' where id = $1`, [maintainer]);

    await api.root.put('/application/settings', { license_plan: 'free' });
    try {
      expect(await assign([developer, maintainer])).toEqual([developer]);
    } finally {
      await api.root.put('/application/settings', { license_plan: 'ultimate' });
    }
    const leaving = `/projects/${team.projectId}/members/${developer}?unassign_issuables=true`;
    expect((await team.maintainer.delete(leaving)).status).toBe(204);
    expect((await team.maintainer.get<Item>(at(iid))).body.assignees).toEqual([]);
    await team.maintainer.post(`/projects/${team.projectId}/members`, {
      user_id: developer,
      access_level: 30,
    });
  });

  it('reject empty and invalid changes', async () => {
    const iid = await insert();
    for (const [body, message] of [
      [{}, { base: ['at least one parameter must be provided'] }],
      [{ title: 'x' }, { base: ['at least one parameter must be provided'] }],
      [{ status: 'open' }, { status: ['does not have a valid value'] }],
      [{ status: 2 }, { status: ['does not have a valid value'] }],
      [{ status: ['resolved'] }, { status: ['is invalid'] }],
      [{ status: null }, { base: ['at least one parameter must be provided'] }],
      [{ assignee_ids: 'me' }, { assignee_ids: ['is invalid'] }],
      [{ assignee_ids: { a: 1 } }, { assignee_ids: ['is invalid'] }],
    ] as const) {
      const answer = await team.developer.put(at(iid), body);
      expect([body, answer.status, answer.body]).toEqual([body, 400, { message }]);
    }
    expect((await team.developer.put(at(999), { status: 'ignored' })).body).toEqual({
      message: '404 Alert Not Found',
    });
  });

  it('are read-only in an archived project', async () => {
    const { projectId, developer, maintainer } = await buildProjectTeam(api);
    const iid = await insertAlert(api, projectId);
    await api.sql('update projects set archived = true where id = $1', [projectId]);
    expect((await developer.get(at(iid, projectId))).status).toBe(200);
    for (const client of [developer, maintainer]) {
      expect((await client.put(at(iid, projectId), { status: 'ignored' })).status).toBe(403);
      expect((await client.post(at(`${iid}/replay`, projectId))).status).toBe(403);
    }
    expect((await developer.get<Item>(at(iid, projectId))).body.status).toBe('triggered');
  });

  it('process their payload again when replayed', async () => {
    const integrationId = await insertIntegration(api, team.projectId);
    const payload = { title: 'Replayed', fingerprint: 'replayed', extra: { deep: [1, { a: null }] } };
    const values = { title: 'Replayed', fingerprint: 'replayed', payload, integrationId };
    const iid = await insert(values);
    const replay = async (of: number): Promise<Item[]> => {
      const answer = await team.developer.post<Item[]>(at(`${of}/replay`));
      expect(answer.status).toBe(200);
      return answer.body;
    };
    heard = [];
    expect(await replay(iid)).toEqual([{ iid, title: 'Replayed' }]);
    expect(heard.map(({ changes, actorId }) => [changes.map(({ kind }) => kind), actorId])).toEqual([
      [['repeated'], null],
    ]);
    expect((await team.developer.get<Item>(at(iid))).body).toMatchObject({ events: 2, status: 'triggered' });

    await team.developer.put(at(iid), { status: 'resolved' });
    const [again] = await replay(iid);
    expect(again?.iid).toBeGreaterThan(iid);
    const { body } = await team.developer.get<Item>(at(again?.iid ?? 0));
    expect(body).toMatchObject({ title: 'Replayed', payload, details: { extra: payload.extra }, events: 1 });
    const [row] = await api.sql<{ integration_id: number }>(
      'select integration_id from alerts where id = $1',
      [await idOf(again?.iid ?? 0)],
    );
    expect(row?.integration_id).toBe(integrationId);

    // The alert outlives its integration.
    await api.sql('delete from alert_integrations where id = $1', [integrationId]);
    expect(await replay(again?.iid ?? 0)).toEqual([{ iid: again?.iid, title: 'Replayed' }]);
  });

  it('lose no occurrence while users resolve and reopen them', async () => {
    const payload = { title: 'Busy', fingerprint: 'busy' };
    const iids = [
      await insert({ ...payload, payload, status: 'resolved' }),
      await insert({ ...payload, payload }),
    ];
    const changes = ['resolved', 'triggered', 'ignored', 'resolved', 'acknowledged'].flatMap((status) =>
      iids.map(async (iid) => (await team.developer.put(at(iid), { status })).status),
    );
    const replays = Array.from({ length: 20 }, async (_, index) => {
      const { status } = await team.developer.post(at(`${iids[index % 2] ?? 0}/replay`));
      return status;
    });
    for (const status of await Promise.all(changes)) expect([200, 409]).toContain(status);
    expect(await Promise.all(replays)).toEqual(Array.from({ length: 20 }, () => 200));
    const [row] = await api.sql<{ events: number; open: number; odd: number }>(
      `select sum(events_count)::int as events, count(*) filter (where status <> 2) as open,
         count(*) filter (where (status = 2) <> (ended_at is not null)) as odd
       from alerts where project_id = $1 and title = 'Busy'`,
      [team.projectId],
    );
    expect(row?.events).toBe(22);
    expect(row?.open).toBeLessThanOrEqual(1);
    expect(row?.odd).toBe(0);
  });

  it('are replayed individually if they came from Alertmanager', async () => {
    const alert = { status: 'firing', labels: { alertname: 'Load' }, startsAt: '2026-01-01T00:00:00Z' };
    const payload = {
      ...{ version: '4', groupKey: '{}', status: 'firing', receiver: 'r', externalURL: '' },
      ...{ groupLabels: {}, commonLabels: {}, commonAnnotations: {} },
      alerts: [{ ...alert, fingerprint: 'abc', annotations: { summary: 'Load', dashboard: 'd' } }],
    };
    const iid = await insert({ title: 'Load', fingerprint: 'abc', payload });
    const answer = await team.developer.post(at(`${iid}/replay`));
    expect(answer.body).toEqual([{ iid, title: 'Load' }]);
    expect((await team.developer.get<Item>(at(iid))).body).toMatchObject({
      events: 2,
      details: { dashboard: 'd' },
    });
  });

  it('are not replayed if their integration is disabled', async () => {
    const integrationId = await insertIntegration(api, team.projectId, false);
    const iid = await insert({ integrationId });
    const answer = await team.developer.post(at(`${iid}/replay`));
    expect([answer.status, answer.body]).toEqual([
      403,
      { message: '403 Forbidden - the alert integration is disabled' },
    ]);
    expect((await team.developer.post(at('999/replay'))).body).toEqual({ message: '404 Alert Not Found' });
  });
});
