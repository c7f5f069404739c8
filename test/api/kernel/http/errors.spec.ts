import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TestApi } from '../../../support/api.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { ErrorWorld, exceptionEvent, type WaitingRow } from '../../../support/error-world.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly events_count: number;
}

const HOUR = 3_600_000;

describe('tracked errors', () => {
  let api: TestApi;
  let world: ErrorWorld;
  let team: ProjectTeam;
  const at = (suffix: string | number = '', project = team.projectId): string =>
    `/projects/${project}/error_tracking/errors${suffix}`;
  const hoursAgo = (hours: number): number => Date.now() - hours * HOUR;
  const event = (name: string, hours: number, changes: Partial<WaitingRow> = {}): WaitingRow => ({
    payload: exceptionEvent(name),
    occurredAt: hoursAgo(hours),
    ...changes,
  });
  const names = async (query: string, project = team.projectId): Promise<string[]> =>
    (await team.reporter.get<Shown[]>(at(query, project))).body.map(({ name }) => name);
  const idOf = async (name: string): Promise<number> => {
    const found = (await world.errors(team.projectId)).find((error) => error.name === name);
    return found?.id ?? 0;
  };

  beforeAll(async () => {
    api = await borrowApi();
    world = new ErrorWorld(api);
    team = await buildProjectTeam(api);
    await world.take(team.projectId, [
      event('Rare', 1, { release: '1.2', environment: 'production' }),
      event('Often', 2),
      event('Often', 30),
      event('Often', 3),
      event('Old', 20),
      event('Old', 10),
    ]);
  });
  afterAll(() => api.close());

  it('come from payloads of SDKs', async () => {
    const { projectId, maintainer, reporter } = await buildProjectTeam(api);
    const base = `/projects/${projectId}/error_tracking`;
    expect((await maintainer.put(`${base}/settings`, { active: true, integrated: true })).status).toBe(200);
    const [key] = (await maintainer.get<{ public_key: string }[]>(`${base}/client_keys`)).body;
    const id = randomUUID().replaceAll('-', '');
    const sent = { ...exceptionEvent('TypeError'), event_id: id, release: 'shop@1', user: { id: 1 } };
    const collect = `/error_tracking/collector/api/${projectId}/store/?sentry_key=${key?.public_key}`;
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect((await api.anonymous.post(collect, sent)).body).toEqual({ id });
    await until(async () => (await reporter.get<Shown[]>(`${base}/errors`)).body.length === 1);
    const [error] = (await reporter.get<Shown[]>(`${base}/errors`)).body;
    expect(error).toEqual({
      id: expect.any(Number),
      name: 'TypeError',
      description: 'TypeError happened',
      actor: 'run(app.js)',
      level: 'error',
      platform: 'node',
      status: 'unresolved',
      events_count: 1,
      users_count: 1,
      first_seen_at: expect.any(String),
      last_seen_at: expect.any(String),
      environment: null,
      release: 'shop@1',
    });
    const events = await reporter.get<{ id: number }[]>(`${base}/errors/${error?.id}/events`);
    const record = {
      id: expect.any(Number),
      event_id: id,
      error_id: error?.id,
      level: 'error',
      environment: null,
      release: 'shop@1',
      occurred_at: expect.any(String),
      received_at: expect.any(String),
    };
    expect(events.body).toEqual([record]);
    for (const name of [id, id.toUpperCase(), events.body[0]?.id])
      expect((await reporter.get(`${base}/events/${name}`)).body).toEqual({ ...record, payload: sent });
  });

  it('are listed by state, the last seen first, with page headers', async () => {
    const list = await team.reporter.get<Shown[]>(at());
    expect(list.body.map(({ name }) => name)).toEqual(['Rare', 'Often', 'Old']);
    expect([list.headers.get('x-total'), list.headers.get('content-type')]).toEqual([
      '3',
      'application/json',
    ]);
    expect(list.body[0]).toMatchObject({ environment: 'production', release: '1.2', events_count: 1 });
    expect(await names('?status=resolved')).toEqual([]);
    const second = await team.reporter.get<Shown[]>(at('?per_page=1&page=2'));
    expect([second.body.map(({ name }) => name), second.headers.get('x-next-page')]).toEqual([
      ['Often'],
      '3',
    ]);
  });

  it('are ordered by each of the orders, both ways and by their common names', async () => {
    expect(await names('?order_by=first_seen_at')).toEqual(['Rare', 'Old', 'Often']);
    expect(await names('?order_by=first_seen_at&sort=asc')).toEqual(['Often', 'Old', 'Rare']);
    expect(await names('?order_by=events_count')).toEqual(['Often', 'Old', 'Rare']);
    expect(await names('?sort=frequency')).toEqual(['Often', 'Old', 'Rare']);
    expect(await names('?sort=first_seen')).toEqual(['Rare', 'Old', 'Often']);
    expect(await names('?sort=last_seen')).toEqual(['Rare', 'Often', 'Old']);
    const ids = (await team.reporter.get<Shown[]>(at('?order_by=id&sort=asc'))).body.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    for (const query of ['?order_by=name', '?sort=up', '?status=all'])
      expect((await team.reporter.get(at(query))).status).toBe(400);
  });

  it('are found by name, description and actor, whatever the text means in SQL', async () => {
    await world.take(team.projectId, [event('100%_sure\\', 40)]);
    expect(await names('?search=OFTEN')).toEqual(['Often']);
    expect(await names('?search=happened')).toHaveLength(4);
    expect(await names('?search=app.js')).toHaveLength(4);
    expect(await names(`?search=${encodeURIComponent('100%_sure\\')}`)).toEqual(['100%_sure\\']);
    expect(await names(`?search=${encodeURIComponent('%')}`)).toEqual(['100%_sure\\']);
    expect(await names('?search=nothing')).toEqual([]);
    expect(await names('?search=')).toHaveLength(4);
  });

  it('are walked by keyset, as are their events', async () => {
    const walk = async (path: string): Promise<number[]> => {
      const ids: number[] = [];
      for (let next = path; next !== '';) {
        const page = await team.reporter.get<Shown[]>(next);
        expect(page.status).toBe(200);
        ids.push(...page.body.map(({ id }) => id));
        next =
          /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]?.replace(/^.*(?=\/api)/, '') ??
          '';
      }
      return ids;
    };
    const often = await idOf('Often');
    for (const path of [at(), at(`/${often}/events`)]) {
      for (const sort of ['asc', 'desc']) {
        const ids = await walk(`${path}?pagination=keyset&order_by=id&sort=${sort}&per_page=1`);
        const all = (await team.reporter.get<Shown[]>(`${path}?order_by=id&sort=${sort}`)).body.map(
          ({ id }) => id,
        );
        expect(ids).toEqual(all);
        expect(ids.length).toBeGreaterThan(2);
      }
    }
  });

  it('have their events listed, the last received first', async () => {
    const often = await idOf('Often');
    const events = await team.reporter.get<{ id: number; error_id: number }[]>(at(`/${often}/events`));
    const ids = events.body.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect([ids.length, events.headers.get('x-total')]).toEqual([3, '3']);
    expect(events.body.every((one) => one.error_id === often && !('payload' in one))).toBe(true);
    expect((await team.reporter.get<unknown[]>(at(`/${often}/events?page=9`))).body).toEqual([]);
  });

  it('are resolved, ignored and reopened by Developers', async () => {
    const old = await idOf('Old');
    for (const status of ['resolved', 'resolved', 'ignored', 'unresolved']) {
      const answer = await team.developer.put<Shown>(at(`/${old}`), { status });
      expect([answer.status, answer.body]).toMatchObject([200, { id: old, name: 'Old', status }]);
      expect(await names(`?status=${status}&search=Old`)).toEqual(['Old']);
    }
    const missing = await team.developer.put(at(`/${old}`), {});
    expect([missing.status, missing.body]).toEqual([
      400,
      { message: '400 (Bad request) "status" not given' },
    ]);
    const wrong = await team.developer.put(at(`/${old}`), { status: 'closed' });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { message: { status: ['does not have a valid value'] } },
    ]);
  });

  it('and events that do not exist, or belong to another project, are 404', async () => {
    const other = await buildProjectTeam(api);
    await world.take(other.projectId, [event('Foreign', 1)]);
    const [foreign] = await world.errors(other.projectId);
    const [row] = await api.sql<{ id: number; event_id: string }>(
      'select id, event_id from error_tracking_events where project_id = $1',
      [other.projectId],
    );
    const missing = [404, { message: '404 Error Not Found' }];
    for (const id of [foreign?.id, 999_999_999, Number.MAX_SAFE_INTEGER]) {
      for (const path of [at(`/${id}`), at(`/${id}/events`)]) {
        const answer = await team.reporter.get(path);
        expect([answer.status, answer.body]).toEqual(missing);
      }
      const put = await team.developer.put(at(`/${id}`), { status: 'resolved' });
      expect([put.status, put.body]).toEqual(missing);
    }
    expect((await world.errors(other.projectId))[0]?.status).toBe('unresolved');
    for (const id of [row?.id, row?.event_id, row?.event_id.replaceAll('-', ''), 0, '9'.repeat(15)]) {
      const answer = await team.reporter.get(`/projects/${team.projectId}/error_tracking/events/${id}`);
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Event Not Found' }]);
    }
    for (const id of ['x', '%00', '-1', 'latest', '9'.repeat(16)])
      expect(
        (await team.reporter.get(`/projects/${team.projectId}/error_tracking/events/${id}`)).status,
      ).toBe(400);
  });

  it('are read by Reporters and changed by Developers, also in public projects', async () => {
    const open = await buildProjectTeam(api, 'public');
    await world.take(open.projectId, [event('Open', 1)]);
    const [error] = await world.errors(open.projectId);
    const [own] = await api.sql<{ id: number }>(
      'select id from error_tracking_events where project_id = $1',
      [open.projectId],
    );
    const reads = [
      at('', open.projectId),
      at(`/${error?.id}`, open.projectId),
      at(`/${error?.id}/events`, open.projectId),
      `/projects/${open.projectId}/error_tracking/events/${own?.id}`,
    ];
    for (const path of reads) {
      expect((await open.reporter.get(path)).status).toBe(200);
      for (const client of [open.guest, open.stranger]) expect((await client.get(path)).status).toBe(403);
      expect((await api.anonymous.get(path)).status).toBe(401);
    }
    const path = at(`/${error?.id}`, open.projectId);
    expect((await open.reporter.put(path, { status: 'ignored' })).status).toBe(403);
    expect((await open.developer.put(path, { status: 'ignored' })).status).toBe(200);
    expect((await team.stranger.get(at())).status).toBe(404);
    await api.root.post(`/projects/${open.projectId}/archive`);
    expect((await open.developer.put(path, { status: 'resolved' })).status).toBe(403);
    expect((await open.reporter.get(path)).status).toBe(200);
  });

  it('show hostile events unchanged, as JSON only', async () => {
    const { projectId, reporter } = await buildProjectTeam(api);
    const markup = '<script>alert(1)</script>';
    const payload = `{"__proto__":{"exception":1},"message":"${markup}\\r\\nX: y","tags":{"a":"javascript:alert(1)"}}`;
    await world.take(projectId, [{ payload }]);
    const [error] = (await reporter.get<Shown[]>(at('', projectId))).body;
    expect(error?.name).toBe(`${markup} X: y`);
    const [own] = (await reporter.get<{ id: number }[]>(at(`/${error?.id}/events`, projectId))).body;
    const answer = await reporter.get(`/projects/${projectId}/error_tracking/events/${own?.id}`);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.text).toContain(`"payload":${JSON.stringify(JSON.parse(payload))}`);
  });
});
