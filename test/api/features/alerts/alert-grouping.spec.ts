import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FirstAlertsService } from '#features/alerts/intake/store/first-alerts.service.js';
import { CountedClient } from '#kernel/database/statements/counted-client.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AlertsChanged } from '#features/alerts/alerts-changed.event.js';
import { AlertIntakeService } from '#features/alerts/intake/alert-intake.service.js';
import { alertmanagerBody } from '../../../support/alert-desk.js';
import { AlertSender } from '../../../support/alert-sender.js';
import { startApi, type TestApi } from '../../../support/api.js';

const END = '2026-03-04T06:00:00Z';

/** Text of a statement, prepared or not. */
const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text;

describe('repeated alerts', () => {
  let api: TestApi;
  /** Another process of the same installation. */
  let second: TestApi;
  let sender: AlertSender;
  beforeAll(async () => {
    api = await startApi();
    second = await startApi({ DATABASE_URL: api.databaseUrl });
  });
  afterAll(async () => {
    await second.close();
    await api.close();
  });
  beforeEach(async () => {
    sender = await AlertSender.open(api);
  });

  const setStatus = (iid: number, status: string): Promise<unknown> =>
    api.root.put(`/projects/${sender.project.id}/alert_management_alerts/${iid}`, { status });
  const setFollowing = (isWanted: boolean): Promise<unknown> =>
    api.sql('update alert_integrations set create_incident = $2 where project_id = $1', [
      sender.project.id,
      isWanted,
    ]);
  const plan = (license_plan: string): Promise<unknown> =>
    api.root.put('/application/settings', { license_plan });

  it.each(['triggered', 'acknowledged', 'ignored'])('are counted while the alert is %s', async (status) => {
    const payload = { title: 'Disk full', rack: { row: 7 } };
    await sender.send({ ...payload, start_time: '2026-03-04T05:00:00Z', hosts: ['a'] });
    await setStatus(1, status);
    expect(await sender.send({ ...payload, start_time: '2026-03-04T05:30:00Z', hosts: ['b'] })).toEqual([
      { iid: 1, title: 'Disk full' },
    ]);
    expect(await sender.shown()).toEqual([`${status} 2`]);
    await sender.send({ ...payload, rack: { row: 8 } });
    expect(await sender.shown()).toEqual([`${status} 2`, 'triggered 1']);
  });

  it('are one alert if their fingerprints are equal, whatever else they contain', async () => {
    await sender.send({ title: 'A', fingerprint: ['x', 'y'] });
    expect(await sender.send({ title: 'B', fingerprint: 'xy' })).toEqual([{ iid: 1, title: 'A' }]);
    expect(await sender.shown()).toEqual(['triggered 2']);
  });

  it('are a new alert after the previous one was resolved, by a payload or by a user', async () => {
    await sender.send({ title: 'A' });
    expect(await sender.sendOne({ title: 'A', end_time: END })).toBe(1);
    expect((await sender.rows())[0]?.ended_at).toEqual(new Date(END));
    expect(await sender.sendOne({ title: 'A' })).toBe(2);
    await setStatus(2, 'resolved');
    expect(await sender.sendOne({ title: 'A' })).toBe(3);
    expect(await sender.shown()).toEqual(['resolved 1', 'resolved 1', 'triggered 1']);
  });

  it('end only once, however often they are resolved', async () => {
    await sender.send({ title: 'A', start_time: '2026-03-04T05:00:00Z' });
    for (let time = 0; time < 3; time += 1)
      expect(await sender.sendOne({ title: 'A', end_time: END })).toBe(1);
    expect(await sender.shown()).toEqual(['resolved 1']);
  });

  it('are a new alert in the same body that resolves the previous one', async () => {
    await sender.send(alertmanagerBody({ fingerprint: 'aa' }));
    const ended = { fingerprint: 'aa', status: 'resolved', endsAt: END };
    const taken = await sender.send(alertmanagerBody(ended, { fingerprint: 'aa' }));
    expect(taken.map(({ iid }) => iid)).toEqual([1, 2]);
    expect(await sender.shown()).toEqual(['resolved 1', 'triggered 1']);
  });

  it('are stored once, as resolved, if a resolution has no open alert', async () => {
    const stray = { title: 'A', start_time: '2026-03-04T05:00:00Z', end_time: END };
    expect([await sender.sendOne(stray), await sender.sendOne(stray)]).toEqual([1, 1]);
    expect(await sender.sendOne({ ...stray, end_time: '2026-03-04T07:00:00Z' })).toBe(2);
    expect(await sender.sendOne({ ...stray, start_time: '2026-03-04T04:00:00Z' })).toBe(3);
    const rows = await sender.rows();
    expect(rows.map(({ stray: isStray, status }) => [isStray, status])).toEqual(rows.map(() => [true, 2]));
    expect(rows).toHaveLength(3);
  });

  it('are new alerts each time on the free plan, and are resolved together', async () => {
    await plan('free');
    try {
      expect([await sender.sendOne({ title: 'A' }), await sender.sendOne({ title: 'A' })]).toEqual([1, 2]);
      expect(await sender.sendOne({ title: 'A', fingerprint: 'f' })).toBe(3);
      expect(await sender.sendOne({ title: 'A', end_time: END })).toBe(2);
      expect(await sender.shown()).toEqual(['resolved 1', 'resolved 1', 'triggered 1']);
    } finally {
      await plan('ultimate');
    }
    expect(await sender.sendOne({ title: 'A', fingerprint: 'f' })).toBe(3);
  });

  it('of an Alertmanager group are distinguished by their fingerprints', async () => {
    const firing = alertmanagerBody({ fingerprint: 'aa' }, { fingerprint: 'bb' });
    await sender.send(firing);
    await sender.send(firing);
    expect(await sender.shown()).toEqual(['triggered 2', 'triggered 2']);
    const mixed = alertmanagerBody(
      { fingerprint: 'aa', status: 'resolved', endsAt: END },
      { fingerprint: 'bb' },
    );
    expect((await sender.send(mixed)).map(({ iid }) => iid)).toEqual([1, 2]);
    await sender.send(mixed);
    expect(await sender.shown()).toEqual(['resolved 2', 'triggered 4']);
    const again = alertmanagerBody({ fingerprint: 'aa', startsAt: '2026-03-04T07:00:00Z' });
    expect((await sender.send(again)).map(({ iid }) => iid)).toEqual([3]);
  });

  it('are counted, resolved and created again within one body', async () => {
    const ended = { fingerprint: 'aa', status: 'resolved', endsAt: END };
    const body = alertmanagerBody({ fingerprint: 'aa' }, { fingerprint: 'aa' }, ended, ended, {
      fingerprint: 'aa',
    });
    expect((await sender.send(body)).map(({ iid }) => iid)).toEqual([1, 1, 1, 1, 2]);
    expect(await sender.shown()).toEqual(['resolved 2', 'triggered 1']);
  });

  it('are counted exactly, however many come at once', async () => {
    const kinds = Array.from({ length: 10 }, (_, index) => ({ title: `A${index}` }));
    const sent = Array.from({ length: 200 }, (_, index) => kinds[index % kinds.length] as object);
    const other = await AlertSender.open(api);
    await Promise.all(sent.flatMap((payload) => [sender.send(payload), other.send(payload)]));
    for (const one of [sender, other]) {
      expect(await one.shown()).toEqual(kinds.map(() => 'triggered 20'));
      expect((await one.rows()).map(({ iid }) => iid)).toEqual(kinds.map((_, index) => index + 1));
    }
  });

  it('are one alert even if two processes receive them', async () => {
    const twin = new AlertSender(second, sender.project, sender.integration);
    for (let round = 0; round < 10; round += 1) {
      const names = ['a', 'b', 'c'].map((name) => ({ fingerprint: `${name}${round}` }));
      const body = alertmanagerBody(...names);
      const reversed = alertmanagerBody(...names.reverse());
      await Promise.all([sender.send(body), twin.send(reversed), twin.send(body), sender.send(reversed)]);
    }
    expect(await sender.shown()).toEqual(Array.from({ length: 30 }, () => 'triggered 4'));
  });

  it('are one alert even if the first one was never received', async () => {
    const twin = new AlertSender(second, sender.project, sender.integration);
    for (let round = 0; round < 10; round += 1) {
      const one = { title: `A${round}` };
      const iids = await Promise.all([sender.sendOne(one), twin.sendOne(one)]);
      expect([...iids, await twin.sendOne(one)]).toEqual([round + 1, round + 1, round + 1]);
    }
    expect(await sender.shown()).toEqual(Array.from({ length: 10 }, () => 'triggered 3'));
  });

  it('take one round trip if they are new, and are published if there are listeners', async () => {
    const events: AlertsChanged[] = [];
    api.app.get(DomainEvents).on(AlertsChanged, (event) => void events.push(event));
    /** Number of these that took the longer path. */
    const counted = async (title: string): Promise<number> => {
      events.length = 0;
      const first = jest.spyOn(FirstAlertsService.prototype, 'store');
      await sender.send({ title });
      const stored = await Promise.all(first.mock.results.map(({ value }) => value));
      first.mockRestore();
      return stored.some((one) => one !== null) ? 0 : 1;
    };
    expect([await counted('A'), events.length]).toEqual([0, 0]);
    expect([await counted('A'), events.length]).toEqual([1, 1]);
    await setFollowing(true);
    expect([await counted('B'), events.length]).toEqual([1, 1]);
    await setFollowing(false);
    // The follow-ups of alerts in the project were cached from the previous one.
    expect([await counted('C'), events.length]).toEqual([1, 1]);
    expect([await counted('D'), events.length]).toEqual([0, 0]);
    expect(await sender.shown()).toEqual(['triggered 2', 'triggered 1', 'triggered 1', 'triggered 1']);
  });

  it('are not lost while a user changes the alert', async () => {
    await sender.send({ title: 'A' });
    const hands = async (): Promise<void> => {
      for (const status of ['resolved', 'triggered', 'acknowledged', 'resolved', 'ignored', 'resolved'])
        await setStatus(1, status);
    };
    const sends = Array.from({ length: 40 }, () => sender.send({ title: 'A' }));
    await Promise.all([hands(), ...sends]);
    const rows = await sender.rows();
    expect(rows.reduce((sum, { events_count: events }) => sum + events, 0)).toBe(41);
    expect(rows.filter(({ status }) => status !== 2).length).toBeLessThanOrEqual(1);
  });

  it('need the same statements, whatever their number', async () => {
    const spies = (['query', 'hold'] as const).map((name) => jest.spyOn(CountedClient.prototype, name));
    const cost = async (count: number): Promise<number> => {
      const items = Array.from({ length: count }, (_, index) => ({
        fingerprint: `${count} ${index % (count / 2)}`,
      }));
      await sender.send(alertmanagerBody(...items));
      for (const spy of spies) spy.mockClear();
      const ended = items.map((item, index) => ({
        ...item,
        ...(index % 4 === 0 ? { status: 'resolved' } : {}),
      }));
      await sender.send(alertmanagerBody(...ended, { fingerprint: `new ${count}` }));
      const asked = spies.flatMap((spy) => spy.mock.calls.map(([statement]) => textOf(statement)));
      return asked.filter((text) => /alerts|internal_ids/.test(text)).length;
    };
    const [few, many] = [await cost(4), await cost(400)];
    for (const spy of spies) spy.mockRestore();
    // Turns, open alerts, resolved alerts, updates, inserts with their numbers; and the listeners.
    expect([few, many]).toEqual([6, 6]);
  });

  it('are published to listeners, one event per transaction', async () => {
    const events: AlertsChanged[] = [];
    api.app.get(DomainEvents).on(AlertsChanged, (event) => void events.push(event));
    const ended = { fingerprint: 'bb', status: 'resolved', endsAt: END };
    await sender.send(alertmanagerBody({ fingerprint: 'aa' }, { fingerprint: 'aa' }, { fingerprint: 'bb' }));
    await sender.send(alertmanagerBody({ fingerprint: 'aa' }, ended, { ...ended, fingerprint: 'cc' }));
    const ids = (await sender.rows()).map(({ id }) => id);
    const projectId = sender.project.id;
    expect(events.map(({ actorId, changes }) => [actorId, changes])).toEqual([
      [
        null,
        [
          { projectId, alertId: ids[0], kind: 'created', status: 'triggered', isWanted: false },
          { projectId, alertId: ids[1], kind: 'created', status: 'triggered', isWanted: false },
        ],
      ],
      [
        null,
        [
          { projectId, alertId: ids[0], kind: 'repeated', status: 'triggered', isWanted: false },
          { projectId, alertId: ids[1], kind: 'resolved', status: 'resolved' },
          { projectId, alertId: ids[2], kind: 'created', status: 'resolved', isWanted: false },
        ],
      ],
    ]);
  });

  it('are all stored except an alert that cannot be stored', async () => {
    const other = await AlertSender.open(api);
    await setFollowing(true);
    const failing = jest
      .spyOn(api.app.get(DomainEvents), 'publish')
      .mockImplementation((_tx, event) =>
        (event as AlertsChanged).changes.some(({ projectId }) => projectId === sender.project.id)
          ? Promise.reject(new Error('A listener fails'))
          : Promise.resolve(),
      );
    const sent = Array.from({ length: 20 }, (_, index) => (index % 5 === 0 ? sender : other));
    const answers = await Promise.all(sent.map((one) => one.raw('{"title":"A"}')));
    failing.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual(sent.map((one) => (one === other ? 200 : 500)));
    expect([await sender.shown(), await other.shown()]).toEqual([[], ['triggered 16']]);
  });

  it('are refused if the project is removed meanwhile', async () => {
    await api.sql('update projects set pending_delete = true where id = $1', [sender.project.id]);
    await expect(
      api.app.get(AlertIntakeService).take(sender.project, null, { title: 'A' }),
    ).rejects.toMatchObject({
      status: 404,
    });
  });
});
