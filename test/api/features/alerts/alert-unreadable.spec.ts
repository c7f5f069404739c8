import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { logger } from '#kernel/log/logger.js';
import { AlertDesk, alertmanagerBody } from '../../../support/alert-desk.js';
import { AlertSender } from '../../../support/alert-sender.js';
import { startApi, type TestApi } from '../../../support/api.js';

const REQUIRED = [
  'version',
  'groupKey',
  'status',
  'receiver',
  'groupLabels',
  'commonLabels',
  'commonAnnotations',
  'externalURL',
  'alerts',
];

describe('alerts that cannot be read', () => {
  let api: TestApi;
  let sender: AlertSender;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    sender = await AlertSender.open(api);
  });

  it.each(REQUIRED)('an Alertmanager group without %s is refused, with the reason', async (name) => {
    const body = Object.fromEntries(Object.entries(alertmanagerBody({})).filter(([key]) => key !== name));
    const answer = await sender.raw(JSON.stringify(body));
    expect([answer.status, answer.body]).toEqual([422, { message: { [name]: ['is missing'] } }]);
    expect(await sender.rows()).toEqual([]);
  });

  it.each(['5', 4, null])('an Alertmanager group of version %j is refused', async (version) => {
    const answer = await sender.raw(JSON.stringify({ ...alertmanagerBody({}), version }));
    expect([answer.status, answer.body]).toEqual([422, { message: { version: ['must be "4"'] } }]);
    expect(await sender.rows()).toEqual([]);
  });

  it('all missing attributes are named', async () => {
    const answer = await sender.raw(JSON.stringify({ groupKey: '{}', alerts: [] }));
    expect(answer.status).toBe(422);
    const { message } = answer.body as { message: object };
    expect(Object.keys(message)).toEqual(REQUIRED.filter((name) => !['groupKey', 'alerts'].includes(name)));
  });

  it('a generic payload with a title may use the attribute names of such a group', async () => {
    const { title } = { ...(await sender.send({ title: 'A', version: '1', commonLabels: {} }))[0] };
    expect(title).toBe('A');
  });

  it('an unreadable item has an entry in the response and in the log', async () => {
    const warn = jest.spyOn(logger, 'warn');
    const body = alertmanagerBody(
      { labels: { alertname: 'A' } },
      { labels: { alertname: 'B' }, startsAt: 'soon' },
      { labels: {} },
      { labels: { alertname: 'C' }, status: 'resolved', endsAt: '2026-03-04T05:00:00Z' },
      { labels: { alertname: 'D' } },
    );
    const answer = await sender.raw(JSON.stringify(body));
    const lines = warn.mock.calls.filter(([, text]) => text === 'Alerts could not be read');
    warn.mockRestore();
    expect([answer.status, answer.body]).toEqual([
      200,
      [
        { iid: 1, title: 'A' },
        { iid: null, title: 'B', error: 'startsAt is missing or invalid' },
        { iid: null, title: null, error: 'title, summary and alertname are missing' },
        { iid: null, title: 'C', error: 'endsAt is before startsAt' },
        { iid: 2, title: 'D' },
      ],
    ]);
    expect(lines.map(([values]) => values)).toEqual([
      {
        project: sender.project.id,
        unreadable: 3,
        first: [
          'alerts[1]: startsAt is missing or invalid',
          'alerts[2]: title, summary and alertname are missing',
          'alerts[3]: endsAt is before startsAt',
        ],
      },
    ]);
    expect(await sender.shown()).toEqual(['triggered 1', 'triggered 1']);
  });

  it('a body with only unreadable items stores nothing', async () => {
    const answer = await sender.raw(JSON.stringify({ ...alertmanagerBody(), alerts: [1, null] }));
    const entry = { iid: null, title: null, error: 'is not an object' };
    expect([answer.status, answer.body]).toEqual([200, [entry, entry]]);
    expect(await sender.rows()).toEqual([]);
  });

  it('an end before the start is refused', async () => {
    const payload = { title: 'A', start_time: '2026-03-04T05:00:00Z', end_time: '2026-03-04T04:59:59Z' };
    const answer = await sender.raw(JSON.stringify(payload));
    expect([answer.status, answer.body]).toEqual([400, { message: { end_time: ['is before start_time'] } }]);
    expect(await sender.rows()).toEqual([]);
    expect(await sender.sendOne({ ...payload, end_time: payload.start_time })).toBe(1);
  });

  it('a firing item with an end time in the past is resolved', async () => {
    await sender.send(alertmanagerBody({ fingerprint: 'a' }));
    await sender.send(alertmanagerBody({ fingerprint: 'a', endsAt: '2026-03-04T06:00:00Z' }));
    await sender.send(alertmanagerBody({ fingerprint: 'b', endsAt: '9998-03-04T06:00:00Z' }));
    expect(await sender.shown()).toEqual(['resolved 1', 'triggered 1']);
  });
});

describe('a repeated resolution', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  const first = { fingerprint: 'aa', startsAt: '2026-03-04T05:00:00Z' };
  const over = { ...first, status: 'resolved', endsAt: '2026-03-04T06:00:00Z' };
  const second = { fingerprint: 'aa', startsAt: '2026-03-04T07:00:00Z' };

  it('leaves the newer alert and its incident open', async () => {
    const desk = await AlertDesk.open(api, { create_incident: true, auto_close_incident: true });
    expect(await desk.send(alertmanagerBody(first))).toEqual([1]);
    expect(await desk.incidents()).toHaveLength(1);
    expect(await desk.send(alertmanagerBody(over))).toEqual([1]);
    expect(await desk.send(alertmanagerBody(second))).toEqual([2]);
    expect(await desk.incidents()).toHaveLength(2);
    expect(await desk.send(alertmanagerBody(over))).toEqual([1]);
    expect(await desk.alert(2)).toMatchObject({ status: 'triggered', events: 1, ended_at: null });
    expect((await desk.incidents()).map(({ state }) => state)).toEqual(['closed', 'opened']);
    expect(await desk.send(alertmanagerBody({ ...second, status: 'resolved' }))).toEqual([2]);
    expect(await desk.alert(2)).toMatchObject({ status: 'resolved' });
  });

  it('is stored separately if its alert is unknown', async () => {
    const sender = await AlertSender.open(api);
    await sender.send(alertmanagerBody(second));
    for (let time = 0; time < 2; time += 1)
      expect((await sender.send(alertmanagerBody(over))).map(({ iid }) => iid)).toEqual([2]);
    expect(await sender.shown()).toEqual(['triggered 1', 'resolved 1']);
  });

  it('resolves only alerts that had started before it, on the free plan', async () => {
    const sender = await AlertSender.open(api);
    await api.root.put('/application/settings', { license_plan: 'free' });
    try {
      await sender.send(alertmanagerBody(first, second));
      await sender.send(alertmanagerBody(over));
    } finally {
      await api.root.put('/application/settings', { license_plan: 'ultimate' });
    }
    expect(await sender.shown()).toEqual(['resolved 1', 'triggered 1']);
  });
});
