import { describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import type { HttpError } from '#kernel/http/errors.js';
import {
  alertGroup as group,
  alertItem as item,
} from '../../../../../test/support/hostile/alert-payloads.js';
import { alertDetails } from './alert-details.js';
import { isReadable, type IncomingAlert } from './incoming-alert.js';
import { alertsIn } from './read-alerts.js';

const readAlerts = (body: unknown): IncomingAlert[] => [...alertsIn(body)].filter(isReadable);

const one = (body: unknown): IncomingAlert => {
  const [alert, ...others] = readAlerts(body);
  expect(others).toEqual([]);
  return alert as IncomingAlert;
};
/** Returns the status of the refusal; 200 if there is none. */
const statusOf = (read: () => unknown): number => {
  try {
    read();
  } catch (error) {
    return (error as HttpError).status;
  }
  return 200;
};

describe('a generic payload', () => {
  it('has defaults for all missing values', () => {
    expect(one({})).toEqual({
      title: 'New: Alert',
      description: null,
      service: null,
      monitoringTool: null,
      hosts: [],
      severity: 'critical',
      startedAt: null,
      ended: null,
      fingerprint: hash('sha1', '{}'),
      environment: null,
      runbook: null,
      query: null,
      yLabel: null,
      incidentMarkdown: null,
      payload: '{}',
    });
  });

  it('becomes an alert', () => {
    const body = {
      title: 'Disk\nfull',
      description: 'Less than\n1 %',
      start_time: '2026-03-04T05:06:07Z',
      service: 'web',
      monitoring_tool: 'Nagios',
      hosts: ['a', ['b', 3]],
      severity: ' Medium ',
      fingerprint: 'disk',
      gitlab_environment_name: 'production',
      extra: { rack: { row: 7 } },
    };
    expect(one(body)).toMatchObject({
      title: 'Disk full',
      description: 'Less than\n1 %',
      startedAt: new Date('2026-03-04T05:06:07Z'),
      ended: null,
      service: 'web',
      monitoringTool: 'Nagios',
      hosts: ['a', 'b', '3'],
      severity: 'medium',
      fingerprint: hash('sha1', 'disk'),
      environment: 'production',
    });
    expect(JSON.parse(one(body).payload)).toEqual(body);
    expect(alertDetails(body)).toEqual({ extra: { rack: { row: 7 } } });
  });

  it.each([
    ['critical', 'critical'],
    ['HIGH', 'high'],
    ['low', 'low'],
    ['info', 'info'],
    ['Unknown', 'unknown'],
    ['warning', 'critical'],
    ['', 'critical'],
    [{ level: 'low' }, 'critical'],
    [['low'], 'critical'],
    ['__proto__', 'critical'],
  ])('with severity %j is %s', (severity, read) => {
    expect(one({ severity }).severity).toBe(read);
  });

  it.each([
    ['2026-03-04T06:00:00Z', { at: new Date('2026-03-04T06:00:00Z') }],
    ['over', { at: null }],
    ['', null],
    [null, null],
    [false, null],
    ['0001-01-01T00:00:00Z', null],
  ])('with the end %j is resolved or stays open', (end_time, ended) => {
    expect(one({ end_time }).ended).toEqual(ended);
  });

  it.each([
    ['abc', 'abc'],
    [['a', ['b', 'c']], 'abc'],
    [42, '42'],
    [['a', { b: 1, a: 2 }, null], 'a{"a":2,"b":1}'],
  ])('with the fingerprint %j is identified by it', (fingerprint, text) => {
    expect(one({ title: 'A', fingerprint }).fingerprint).toBe(hash('sha1', text));
  });

  it('without a fingerprint is identified by everything except times and hosts, in any order of keys', () => {
    const { fingerprint } = one({ title: 'A', more: { x: 1, y: [2] } });
    const same = {
      hosts: ['h'],
      more: { y: [2], x: 1 },
      title: 'A',
      start_time: '2026-03-04',
      end_time: '2026-03-05',
      fingerprint: [],
    };
    expect(one(same).fingerprint).toBe(fingerprint);
    expect(one({ title: 'A', more: { x: 1, y: [3] } }).fingerprint).not.toBe(fingerprint);
  });

  it('is truncated to the stored length', () => {
    const alert = one({
      title: `${'x'.repeat(196)}😀yyy`,
      description: 'd'.repeat(500_000),
      service: 's'.repeat(101),
      hosts: Array.from({ length: 50_000 }, () => 'host'),
    });
    expect(alert.title).toBe(`${'x'.repeat(196)}...`);
    expect(alert.description).toBe(`${'d'.repeat(997)}...`);
    expect(alert.service).toHaveLength(100);
    expect(alert.hosts.join('').length).toBe(252);
  });

  it('is refused beyond one mebibyte', () => {
    const size = (bytes: number): object => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(statusOf(() => readAlerts(size(1024 * 1024)))).toBe(200);
    expect(statusOf(() => readAlerts(size(1024 * 1024 + 1)))).toBe(413);
  });
});

describe('an Alertmanager group', () => {
  it('is one alert for each item', () => {
    const alerts = readAlerts(
      group(
        item({
          labels: { alertname: 'Down', severity: 'S2', service_environment_name: 'production' },
          annotations: {
            title: 'Web is down',
            summary: 'Down',
            description: 'All of it',
            runbook: 'http://runbook.test',
            service_incident_markdown: '## What to do',
            service_y_label: 'requests',
            team: { name: 'web' },
          },
          generatorURL: 'http://prometheus.test/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
          fingerprint: 'c0ffee',
        }),
        item({ annotations: { summary: 'Slow' } }),
        item(),
      ),
    );
    expect(alerts.map(({ title }) => title)).toEqual(['Web is down', 'Slow', 'Down']);
    expect(alerts[0]).toMatchObject({
      description: 'All of it',
      severity: 'high',
      monitoringTool: 'Prometheus',
      startedAt: new Date('2026-03-04T05:06:07.008Z'),
      ended: null,
      runbook: 'http://runbook.test',
      query: 'up == 0',
      incidentMarkdown: '## What to do',
      yLabel: 'requests',
      environment: 'production',
      fingerprint: hash('sha1', 'c0ffee'),
    });
    expect(alerts[2]).toMatchObject({ severity: 'critical', query: null, yLabel: 'Down' });
    expect(alertDetails(JSON.parse(alerts[0]?.payload ?? ''))).toEqual({
      summary: 'Down',
      team: { name: 'web' },
    });
  });

  it.each([
    ['emergency', 'critical'],
    ['p2', 'high'],
    ['PAGE', 'high'],
    ['error', 'medium'],
    ['warning', 'low'],
    ['notice', 'info'],
    ['minor', 'critical'],
    ['unknown', 'critical'],
    ['constructor', 'critical'],
  ])('calls %s %s', (severity, read) => {
    expect(one(group(item({ labels: { alertname: 'A', severity } }))).severity).toBe(read);
  });

  it.each([
    [{ status: 'resolved', endsAt: '2026-03-04T06:00:00Z' }, { at: new Date('2026-03-04T06:00:00Z') }],
    [{ status: 'resolved' }, { at: null }],
    [{ status: 'firing', endsAt: '2026-03-04T06:00:00Z' }, { at: new Date('2026-03-04T06:00:00Z') }],
    [{ status: 'firing' }, null],
    [{ status: undefined, endsAt: '2026-03-04T06:00:00Z' }, { at: new Date('2026-03-04T06:00:00Z') }],
    [{ status: undefined, endsAt: '9998-03-04T06:00:00Z' }, null],
    [{ status: { resolved: true } }, null],
  ])('with %j ends as %j', (values, ended) => {
    expect(one(group(item(values))).ended).toEqual(ended);
  });

  it('identifies an alert without a fingerprint by title and labels, not by its start', () => {
    const { fingerprint } = one(group(item()));
    const later = item({ startsAt: '2026-04-01T00:00:00Z', labels: { instance: 'a', alertname: 'Down' } });
    expect(one(group(later)).fingerprint).toBe(fingerprint);
    const other = item({ labels: { alertname: 'Down', instance: 'b' } });
    expect(one(group(other)).fingerprint).not.toBe(fingerprint);
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'alert'],
    ['a list', [1]],
    ['no title', item({ labels: {} })],
    ['no start', item({ startsAt: undefined })],
    ['an invalid start', item({ startsAt: 'soon' })],
    ['an oversized description', item({ annotations: { description: 'x'.repeat(1024 * 1024) } })],
  ])('skips an item with %s, and no other', (_what, bad) => {
    const titles = readAlerts(group(item(), bad, item({ annotations: { title: 'B' } }))).map(
      ({ title }) => title,
    );
    expect(titles).toEqual(['Down', 'B']);
  });

  it('is refused if it contains only oversized alerts', () => {
    const large = item({ annotations: { description: 'x'.repeat(1024 * 1024) } });
    expect(statusOf(() => readAlerts(group(large, {})))).toBe(413);
    expect(statusOf(() => readAlerts({ ...group(), alerts: { 0: item() } }))).toBe(400);
    expect(readAlerts(group({}))).toEqual([]);
  });

  it('without a required key, or of another version, is refused unless it has its own title', () => {
    for (const key of Object.keys(group()).filter((name) => name !== 'truncatedAlerts')) {
      const others = Object.entries(group(item())).filter(([name]) => name !== key);
      expect(statusOf(() => readAlerts(Object.fromEntries(others)))).toBe(422);
    }
    expect(statusOf(() => readAlerts({ ...group(item()), version: 4 }))).toBe(422);
    expect(one({ ...group(item()), version: '1', title: 'A' }).monitoringTool).toBeNull();
  });
});
