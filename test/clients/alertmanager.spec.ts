import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { AlertDesk, type DeskAlert } from '../support/alert-desk.js';
import { Alertmanager, describeWithAlertmanager, type PostedAlert } from '../support/alertmanager.js';
import type { TestApi } from '../support/api.js';
import { borrowApi } from '../support/shared-api.js';
import { until } from '../support/until.js';

const WAY_TOO_LONG = '1h';

const firing = (
  labels: Readonly<Record<string, string>>,
  values: Partial<PostedAlert> = {},
): PostedAlert => ({
  labels: { alertname: 'Down', ...labels },
  generatorURL: 'http://prometheus.test/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
  ...values,
});

const over = (labels: Readonly<Record<string, string>>): PostedAlert =>
  firing(labels, { endsAt: new Date().toISOString() });

describeWithAlertmanager('Alertmanager', () => {
  let api: TestApi;
  const running: Alertmanager[] = [];

  beforeAll(async () => {
    api = await borrowApi();
  });
  afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));
  afterAll(() => api.close());

  const urlOf = (desk: AlertDesk): URL => new URL(new URL(desk.integration.url).pathname, api.url);

  /** Starts an Alertmanager that sends its alerts to the desk, with the credentials of `webhook`. */
  async function start(desk: AlertDesk, route: object = {}, webhook: object = {}): Promise<Alertmanager> {
    const bearer = { authorization: { type: 'Bearer', credentials: desk.integration.token } };
    const times = { group_wait: '0s', group_interval: '1s', repeat_interval: WAY_TOO_LONG };
    const manager = await Alertmanager.start({
      route: { receiver: 'forge', group_by: ['alertname'], ...times, ...route },
      receivers: [
        { name: 'forge', webhook_configs: [{ url: String(urlOf(desk)), http_config: bearer, ...webhook }] },
      ],
      inhibit_rules: [
        {
          source_matchers: ['severity="critical"'],
          target_matchers: ['severity="warning"'],
          equal: ['cluster'],
        },
      ],
    });
    running.push(manager);
    return manager;
  }

  const alertsOf = async (desk: AlertDesk): Promise<DeskAlert[]> => {
    const path = `/projects/${desk.project.id}/alert_management_alerts?per_page=100&order_by=started_at&sort=asc`;
    return (await api.root.get<DeskAlert[]>(path)).body;
  };
  const untilThereAre = async (desk: AlertDesk, count: number): Promise<DeskAlert[]> => {
    await until(async () => (await alertsOf(desk)).length >= count);
    return alertsOf(desk);
  };

  it.each(['bearer token', 'empty user', 'URL'])('is authenticated by the key as or in %s', async (kind) => {
    const desk = await AlertDesk.open(api, { type: 'prometheus' });
    const { token } = desk.integration;
    const url = urlOf(desk);
    if (kind === 'URL') url.password = token;
    const manager = await start(
      desk,
      {},
      kind === 'bearer token'
        ? {}
        : {
            url: String(url),
            http_config: kind === 'URL' ? {} : { basic_auth: { username: '', password: token } },
          },
    );
    await manager.post(
      firing(
        { severity: 'warning', instance: 'one' },
        {
          startsAt: '2026-03-04T05:06:07.123456789+02:00',
          annotations: {
            summary: 'One is down',
            description: 'Since a minute',
            runbook: 'http://runbooks.test/1',
          },
        },
      ),
    );
    expect(await untilThereAre(desk, 1)).toMatchObject([
      {
        title: 'One is down',
        description: 'Since a minute',
        severity: 'low',
        status: 'triggered',
        monitoring_tool: 'Prometheus',
        query: 'up == 0',
        runbook: 'http://runbooks.test/1',
        started_at: '2026-03-04T03:06:07.123Z',
        ended_at: null,
        events: 1,
      },
    ]);
    await until(async () => (await manager.deliveries()).sent === 1);
    expect((await manager.deliveries()).failed).toBe(0);
  });

  it('is refused with a wrong key, without storing anything', async () => {
    const desk = await AlertDesk.open(api, { type: 'prometheus' });
    const manager = await start(
      desk,
      {},
      { http_config: { authorization: { credentials: 'f'.repeat(32) } } },
    );
    await manager.post(firing({ instance: 'one' }));
    await until(async () => (await manager.deliveries()).failed > 0);
    expect(await alertsOf(desk)).toEqual([]);
  });

  it('sends a group together, again when it changes, and never twice after success', async () => {
    const desk = await AlertDesk.open(api, { type: 'prometheus' });
    // Long enough for all three to arrive before the group is sent.
    const manager = await start(desk, { group_wait: '2s' });
    const instances = ['one', 'two', 'three'];
    await manager.post(...instances.map((instance) => firing({ instance })));
    expect((await untilThereAre(desk, 3)).map(({ events }) => events)).toEqual([1, 1, 1]);
    // Several intervals of the group pass without changes.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect((await alertsOf(desk)).map(({ events }) => events)).toEqual([1, 1, 1]);
    expect(await manager.deliveries()).toEqual({ sent: 1, failed: 0 });
    await manager.post(firing({ instance: 'four' }));
    const eventsOf = async (): Promise<number[]> => (await alertsOf(desk)).map(({ events }) => events).sort();
    await until(async () => (await eventsOf()).join() === '1,2,2,2');
    expect(await manager.deliveries()).toEqual({ sent: 2, failed: 0 });
  });

  it('repeats firing alerts, which only increments the counter', async () => {
    const desk = await AlertDesk.open(api, { type: 'prometheus', create_incident: true });
    const manager = await start(desk, { repeat_interval: '1s' });
    await manager.post(firing({ instance: 'one' }));
    await until(async () => ((await alertsOf(desk))[0]?.events ?? 0) >= 3);
    expect(await alertsOf(desk)).toHaveLength(1);
    expect(await desk.incidents()).toHaveLength(1);
    expect((await manager.deliveries()).failed).toBe(0);
  });

  it('does not send alerts that another one inhibits', async () => {
    const desk = await AlertDesk.open(api, { type: 'prometheus' });
    const manager = await start(desk);
    const cluster = 'east';
    const cause = { alertname: 'ClusterDown', severity: 'critical', cluster };
    await manager.post(firing(cause));
    await untilThereAre(desk, 1);
    await manager.post(
      firing({ severity: 'warning', cluster, instance: 'inhibited' }),
      firing({ severity: 'warning', cluster: 'west', instance: 'free' }),
    );
    expect(await untilThereAre(desk, 2)).toMatchObject([{ title: 'ClusterDown' }, { title: 'Down' }]);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await alertsOf(desk)).toHaveLength(2);
    await manager.post(over(cause));
    const alerts = await untilThereAre(desk, 3);
    expect(alerts.filter(({ title }) => title === 'Down')).toHaveLength(2);
    await until(async () =>
      (await alertsOf(desk)).some(({ title, status }) => title === 'ClusterDown' && status === 'resolved'),
    );
  });

  it('resolves single alerts of a group that keeps firing, and their incidents', async () => {
    const desk = await AlertDesk.open(api, { type: 'prometheus', create_incident: true });
    const manager = await start(desk);
    const named = (instance: string): Partial<PostedAlert> => ({ annotations: { title: instance } });
    await manager.post(firing({ instance: 'one' }, named('one')), firing({ instance: 'two' }, named('two')));
    await untilThereAre(desk, 2);
    await desk.incidents();
    await manager.post({ ...over({ instance: 'one' }), ...named('one') });
    const statusOf = async (title: string): Promise<string | undefined> =>
      (await alertsOf(desk)).find((alert) => alert.title === title)?.status;
    await until(async () => (await statusOf('one')) === 'resolved');
    expect(await statusOf('two')).toBe('triggered');
    const one = (await alertsOf(desk)).find(({ title }) => title === 'one');
    expect(Date.parse(one?.ended_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect((await desk.incidents()).map(({ title, state }) => [title, state]).sort()).toEqual([
      ['one', 'closed'],
      ['two', 'opened'],
    ]);

    // It fires again: another alert.
    await manager.post(
      firing({ instance: 'one' }, { ...named('one'), endsAt: new Date(Date.now() + 60_000).toISOString() }),
    );
    await untilThereAre(desk, 3);
    expect(await desk.incidents()).toHaveLength(3);
    expect((await manager.deliveries()).failed).toBe(0);
  });
});
