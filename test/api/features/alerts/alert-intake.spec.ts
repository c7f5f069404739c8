import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gzipSync, deflateRawSync, deflateSync, brotliCompressSync } from 'node:zlib';
import { hash } from 'node:crypto';
import { alertmanagerBody } from '../../../support/alert-desk.js';
import { AlertSender } from '../../../support/alert-sender.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { alertGroup, alertItem, hostileBodies } from '../../../support/hostile/alert-payloads.js';

const MEBIBYTE = 1024 * 1024;
const malformed = { message: '400 Bad request - malformed JSON' };

/** A generic payload of that many bytes. */
const sized = (bytes: number): string => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;

/** A group of that many bytes, in items that are small enough. */
const sizedGroup = (bytes: number): string => {
  const items = Array.from({ length: 10 }, (_, index) => ({
    labels: { alertname: `A${index}` },
    annotations: { note: 'x'.repeat(bytes / 10 - 1_000) },
  }));
  return JSON.stringify(alertmanagerBody(...items)).padEnd(bytes, ' ');
};

describe('the alert intake', () => {
  let api: TestApi;
  let sender: AlertSender;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    sender = await AlertSender.open(api);
  });

  it('stores the values of a generic payload', async () => {
    const environment = await api.root.post<{ id: number }>(`/projects/${sender.project.id}/environments`, {
      name: 'production',
    });
    const payload = {
      title: 'Disk full',
      description: 'Less than 1 %',
      start_time: '2026-03-04T05:06:07.891Z',
      service: 'web',
      monitoring_tool: 'Nagios',
      hosts: ['a.test', 'b.test'],
      severity: 'High',
      fingerprint: ['di', 'sk'],
      service_environment_name: 'production',
      rack: { row: [7] },
    };
    expect(await sender.send(payload)).toEqual([{ iid: 1, title: 'Disk full' }]);
    const [row] = await sender.rows<Record<string, unknown>>();
    expect(row).toMatchObject({
      iid: 1,
      integration_id: sender.integration.id,
      title: 'Disk full',
      description: 'Less than 1 %',
      service: 'web',
      monitoring_tool: 'Nagios',
      hosts: ['a.test', 'b.test'],
      severity: 1,
      status: 0,
      events_count: 1,
      stray: false,
      started_at: new Date('2026-03-04T05:06:07.891Z'),
      ended_at: null,
      environment_id: environment.body.id,
      issue_id: null,
      payload,
    });
    expect((row?.['fingerprint'] as Buffer | undefined)?.toString('hex')).toBe(hash('sha1', 'disk'));
  });

  it('accepts an empty payload, and an environment that the project does not have', async () => {
    const other = await buildProject(api.root);
    await api.root.post(`/projects/${other.id}/environments`, { name: 'elsewhere' });
    const before = Date.now();
    expect(await sender.send({})).toEqual([{ iid: 1, title: 'New: Alert' }]);
    await sender.send({ title: 'B', gitlab_environment_name: 'elsewhere' });
    const [first, second] = await sender.rows<{
      severity: number;
      started_at: Date;
      environment_id: number | null;
    }>();
    expect(first?.severity).toBe(0);
    expect(first?.started_at.getTime()).toBeGreaterThanOrEqual(before);
    expect(second?.environment_id).toBeNull();
  });

  it('stores each alert of Alertmanager, which it recognizes by the body', async () => {
    const body = alertmanagerBody(
      {
        labels: { alertname: 'Down', severity: 'warning' },
        annotations: {
          summary: 'Web is down',
          runbook: 'http://r.test',
          gitlab_incident_markdown: '# Do',
          team: 'web',
        },
        generatorURL: 'http://p.test/graph?g0.expr=up+%3D%3D+0',
        fingerprint: 'aa',
      },
      { labels: { alertname: 'Slow' }, fingerprint: 'bb' },
      { labels: {} },
    );
    expect(await sender.send(body)).toEqual([
      { iid: 1, title: 'Web is down' },
      { iid: 2, title: 'Slow' },
      { iid: null, title: null, error: 'title, summary and alertname are missing' },
    ]);
    const [row] = await sender.rows<Record<string, unknown>>();
    expect(row).toMatchObject({
      severity: 3,
      monitoring_tool: 'Prometheus',
      started_at: new Date('2026-03-04T05:06:07.008Z'),
      ended_at: null,
      runbook: 'http://r.test',
      query: 'up == 0',
      y_label: 'Web is down',
      incident_markdown: '# Do',
    });
    expect(row?.['payload']).toMatchObject({
      version: '4',
      alerts: [{ fingerprint: 'aa', annotations: { team: 'web' } }],
    });
  });

  it('has an entry in the response for each of a thousand alerts, and numbers without gaps', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({ labels: { alertname: `A${index}` } }));
    const taken = await sender.send(alertmanagerBody(...items));
    expect(taken.map(({ iid }) => iid)).toEqual(items.map((_, index) => index + 1));
    expect(taken[999]?.title).toBe('A999');
    expect(await sender.rows()).toHaveLength(1_000);
    const more = Array.from({ length: 2_345 }, (_, index) => ({
      labels: { alertname: `A${index % 2_000}` },
    }));
    expect((await sender.send(alertmanagerBody(...more))).map(({ iid }) => iid)).toEqual(
      more.map((_, index) => (index % 2_000) + 1),
    );
    expect(await sender.rows()).toHaveLength(2_000);
  });

  describe('reads', () => {
    it.each([
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'nonsense',
    ])('JSON with the content type %s', async (type) => {
      const answer = await sender.raw('\ufeff{"title":"A"}', { ...sender.bearer, 'Content-Type': type });
      expect([answer.status, answer.body]).toEqual([200, [{ iid: 1, title: 'A' }]]);
      expect(answer.headers.get('content-type')).toBe('application/json');
    });

    it('chunked and compressed bodies', async () => {
      const stream = new Blob(['{"title"', ':"A"}']).stream();
      expect((await sender.raw(stream)).body).toEqual([{ iid: 1, title: 'A' }]);
      const bytes = Buffer.from('{"title":"A"}');
      const encoded = (encoding: string, body: Buffer): Promise<{ status: number }> =>
        sender.raw(body, { ...sender.bearer, 'Content-Encoding': encoding });
      expect((await encoded('gzip', gzipSync(bytes))).status).toBe(200);
      expect((await encoded('deflate', deflateSync(bytes))).status).toBe(200);
      expect((await encoded('deflate', deflateRawSync(bytes))).status).toBe(200);
      expect((await encoded('', bytes)).status).toBe(200);
      expect((await encoded('gzip', bytes)).status).toBe(400);
      expect((await encoded('br', brotliCompressSync(bytes))).status).toBe(415);
      expect((await encoded('gzip', gzipSync(Buffer.alloc(200 * MEBIBYTE, ' ')))).status).toBe(413);
      expect(await sender.shown()).toEqual(['triggered 5']);
    });

    it.each([
      ['', malformed],
      ['{', malformed],
      ['{"title":"A"}x', malformed],
      ['title=A', malformed],
      [`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, malformed],
      [`${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`, malformed],
      ['[]', { message: '400 Bad request' }],
      ['[{"title":"A"}]', { message: '400 Bad request' }],
      ['null', { message: '400 Bad request' }],
      ['"A"', { message: '400 Bad request' }],
    ])('no malformed body (case %#)', async (body, refusal) => {
      const answer = await sender.raw(body);
      expect([answer.status, answer.body]).toEqual([400, refusal]);
      expect(await sender.rows()).toEqual([]);
    });

    it('no body above the size limits', async () => {
      expect((await sender.raw(sized(MEBIBYTE))).status).toBe(200);
      const answer = await sender.raw(sized(MEBIBYTE + 1));
      expect([answer.status, answer.body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
      expect((await sender.raw(sizedGroup(5 * MEBIBYTE))).status).toBe(200);
      expect((await sender.raw(sizedGroup(5 * MEBIBYTE + 10))).status).toBe(413);
      expect((await sender.raw(new Blob([sizedGroup(5 * MEBIBYTE + 10)]).stream())).status).toBe(413);
      expect(await sender.rows()).toHaveLength(11);
    });
  });

  it('stores values that PostgreSQL would reject, and names that objects inherit', async () => {
    const json =
      '{"title":"a\\u0000b\\ud83d","__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},"hasOwnProperty":1,"de\\u0000ep":"\\\\u0000 \\udc00","n":1e400,"hosts":[{"a":1},"\\u0000h"]}';
    const answer = await sender.raw(json);
    expect([answer.status, answer.body]).toEqual([200, [{ iid: 1, title: 'ab\ufffd' }]]);
    const [row] = await sender.rows<{ hosts: string[]; payload: Record<string, unknown> }>();
    expect(row?.hosts).toEqual(['h']);
    expect(Object.entries(row?.payload ?? {})).toEqual(
      expect.arrayContaining([
        ['__proto__', { admin: true }],
        ['constructor', { prototype: { x: 1 } }],
        ['deep', '\\u0000 \ufffd'],
        ['n', null],
      ]),
    );
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('truncates long values, and does not misinterpret types', async () => {
    const huge = 'é'.repeat(400_000);
    await sender.send({
      title: huge,
      fingerprint: { a: [1] },
      severity: { low: 1 },
      hosts: 7,
      start_time: {},
    });
    const [row] = await sender.rows<{ title: string; severity: number; hosts: string[] }>();
    expect(row?.title).toBe(`${'é'.repeat(197)}...`);
    expect([row?.severity, row?.hosts]).toEqual([0, ['7']]);
  });

  it('answers any payload with a status below 500, and stores its valid neighbors', async () => {
    const bodies = fc.sample(hostileBodies, { numRuns: 150, seed: 7 });
    const statuses = await Promise.all(bodies.map((body) => sender.raw(JSON.stringify(body))));
    expect(
      statuses.map(({ status }) => status).filter((status) => ![200, 400, 422].includes(status)),
    ).toEqual([]);
    const items = fc.sample(hostileBodies, { numRuns: 150, seed: 8 });
    const taken = await sender.send(alertGroup(...items, alertItem({ labels: { alertname: 'Neighbour' } })));
    expect(taken.at(-1)?.title).toBe('Neighbour');
  });
});
