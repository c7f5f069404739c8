import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { ErrorEventStoreService } from '#features/error-tracking/intake/error-event-store.service.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildTrackedProject, type TrackedProject } from '../../../support/builders/tracked-project.js';
import {
  COLLECTOR,
  envelopeOf,
  newEventId,
  sendToIntake,
  sentEvent,
  type Sending,
} from '../../../support/error-sender.js';

let api: TestApi;
let project: TrackedProject;
beforeAll(async () => {
  api = await startApi();
  project = await buildTrackedProject(api.root);
});
afterAll(() => api.close());

interface StoredRow {
  readonly event_id: string;
  readonly level: string;
  readonly environment: string | null;
  readonly release: string | null;
  readonly occurred_at: Date;
  readonly payload: string;
}

const COLUMNS = `replace(event_id::text, '-', '') as event_id, level, environment, release, occurred_at, payload`;

const storedOf = (projectId = project.id): Promise<StoredRow[]> =>
  api.sql<StoredRow>(`select ${COLUMNS} from error_tracking_events where project_id = $1 order by id`, [
    projectId,
  ]);

/** Ids of the stored events among these, in order. */
async function storedAmong(ids: readonly unknown[], projectId = project.id): Promise<unknown[]> {
  const found = new Set((await storedOf(projectId)).map((row) => row.event_id as unknown));
  return ids.filter((id) => found.has(id));
}

const send = (
  body: string | Buffer,
  sending: Sending = {},
  to: Pick<TrackedProject, 'id' | 'key'> = project,
): ReturnType<typeof sendToIntake> => sendToIntake(api.url, to, body, sending);

describe('the intake of errors', () => {
  it.each([COLLECTOR, '/errortracking/api/v1/projects/api'])('accepts events below %s', async (root) => {
    for (const end of ['', '/']) {
      const stored = sentEvent();
      const plain = await send(JSON.stringify(stored), { root, to: `store${end}` });
      expect([plain.status, plain.body]).toEqual([200, { id: stored['event_id'] }]);
      expect(plain.headers.get('content-type')).toBe('application/json');
      const enveloped = sentEvent();
      const answer = await send(envelopeOf([['event', enveloped]]), { root, to: `envelope${end}` });
      expect([answer.status, answer.body]).toEqual([200, { id: enveloped['event_id'] }]);
      const ids = [stored['event_id'], enveloped['event_id']];
      expect(await storedAmong(ids)).toEqual(ids);
    }
    const wrong = await fetch(`${api.url}${root}/${project.id}/envelope/`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('stores the values of an event', async () => {
    const own = await buildTrackedProject(api.root);
    const event = sentEvent({
      level: 'warning',
      timestamp: Date.now() / 1000 - 3600,
      environment: 'staging',
      release: 'v2',
    });
    await send(JSON.stringify(event), { to: 'store/' }, own);
    const bare = { message: 'Disk is full\u0000', transaction: '' };
    const answer = await send(JSON.stringify(bare), { to: 'store/' }, own);
    expect(answer.body.id).toMatch(/^[0-9a-f]{32}$/);
    const [first, second] = await storedOf(own.id);
    expect(first).toMatchObject({
      event_id: event['event_id'],
      level: 'warning',
      environment: 'staging',
      release: 'v2',
    });
    expect(JSON.parse(first?.payload ?? '')).toEqual(event);
    expect(
      Math.abs((first?.occurred_at.getTime() ?? 0) - Number(event['timestamp']) * 1000),
    ).toBeLessThanOrEqual(1);
    expect(second).toMatchObject({
      event_id: answer.body.id,
      level: 'error',
      environment: null,
      release: null,
    });
    expect(second?.payload).toBe('{"message":"Disk is full","transaction":""}');
  });

  it('reads the encodings that SDKs use', async () => {
    const encodings: [name: string, encode: (bytes: Buffer) => Buffer][] = [
      ['identity', (bytes) => bytes],
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['GZIP', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', brotliCompressSync],
    ];
    for (const [encoding, encode] of encodings) {
      const event = sentEvent({ extra: { long: 'x'.repeat(40_000) } });
      const headers = { 'Content-Encoding': encoding };
      const body = encode(Buffer.from(envelopeOf([['event', event]])));
      const answer = await send(body, { headers });
      expect([encoding, answer.status, answer.body.id]).toEqual([encoding, 200, event['event_id']]);
    }
  });

  it('reads bodies of any content type, of none, and in pieces of unknown length', async () => {
    for (const type of [
      'application/json',
      'application/x-sentry-envelope',
      'text/plain;charset=UTF-8',
      'x',
      'multipart/form-data',
    ]) {
      const event = sentEvent();
      const answer = await send(envelopeOf([['event', event]]), { headers: { 'Content-Type': type } });
      expect([type, answer.status, answer.body.id]).toEqual([type, 200, event['event_id']]);
    }
    const event = sentEvent();
    const body = envelopeOf([['event', event]]);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const path = `${COLLECTOR}/${project.id}/envelope/?sentry_key=${project.key}`;
      const sending = request(`${api.url}${path}`, { method: 'POST' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sending.on('error', reject);
      sending.write(body.slice(0, 100));
      setTimeout(() => sending.end(body.slice(100)), 20);
    });
    expect(status).toBe(200);
    expect(await storedAmong([event['event_id']])).toHaveLength(1);
  });

  it('ignores items that are not errors', async () => {
    const own = await buildTrackedProject(api.root);
    const id = newEventId();
    const session = { sid: newEventId(), init: true, status: 'ok' };
    for (const [body, answer] of [
      [envelopeOf([['session', session]]), {}],
      [
        envelopeOf([
          ['sessions', {}],
          ['client_report', {}],
          ['replay_video', '\0\x01'],
        ]),
        {},
      ],
      [envelopeOf([['transaction', { type: 'transaction' }]], { event_id: id }), { id }],
      [envelopeOf([['event', sentEvent({ type: 'transaction' })]]), {}],
      ['{}', {}],
      [`{"event_id":"${id}"}\n\n`, { id }],
    ] as const) {
      const answered = await send(body, {}, own);
      expect([body, answered.status, answered.body]).toEqual([body, 200, answer]);
    }
    const operation = await send(JSON.stringify(sentEvent({ type: 'transaction' })), { to: 'store/' }, own);
    expect([operation.status, operation.body]).toEqual([200, {}]);
    expect(await storedOf(own.id)).toEqual([]);
  });

  it('accepts all valid events of an envelope, whatever else is in it', async () => {
    const [first, second, third, fourth] = [
      sentEvent(),
      sentEvent(),
      sentEvent({ event_id: null }),
      sentEvent({ event_id: 'x' }),
    ];
    const nameless = sentEvent({ event_id: undefined });
    const id = newEventId();
    const body = envelopeOf(
      [
        ['session', {}],
        ['event', '{"message":'],
        ['event', first],
        [{ type: 'event', length: 999_999 }, second],
        [{ type: 'attachment', length: 9 }, '\n\n{"a"}\n\n\0'.slice(0, 9)],
        [{ type: 'event', length: 3 }, third],
        ['event', { nothing: true }],
        ['event', fourth],
        ['event', nameless],
        ['event', `{"message":"${'x'.repeat(1024 * 1024)}"}`],
        ['event', first],
      ],
      { event_id: id },
    );
    const own = await buildTrackedProject(api.root);
    const answer = await send(gzipSync(body), { headers: { 'Content-Encoding': 'gzip' } }, own);
    expect([answer.status, answer.body]).toEqual([200, { id: first['event_id'] }]);
    const rows = await storedOf(own.id);
    expect(rows).toHaveLength(5);
    const ids = [first['event_id'], second['event_id'], id];
    expect(await storedAmong(ids, own.id)).toEqual(ids);
    expect(JSON.parse(rows.find((row) => row.event_id === id)?.payload ?? '')).toMatchObject({
      event_id: null,
    });
  });

  it('accepts each event once', async () => {
    const own = await buildTrackedProject(api.root);
    const other = await buildTrackedProject(api.root);
    const event = sentEvent();
    const body = envelopeOf([
      ['event', event],
      ['event', event],
    ]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body, {}, own)));
    for (const { status, body: answer } of answers)
      expect([status, answer]).toEqual([200, { id: event['event_id'] }]);
    expect(await storedOf(own.id)).toHaveLength(1);
    await send(body, {}, other);
    expect(await storedOf(other.id)).toHaveLength(1);
  });

  it('keeps every event of a burst, and has it grouped by one job', async () => {
    const own = await buildTrackedProject(api.root);
    const events = Array.from({ length: 300 }, (_, n) => sentEvent({ message: `m${n}` }));
    const answers = await Promise.all(events.map((event) => send(envelopeOf([['event', event]]), {}, own)));
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(
      events.map((one) => [200, one['event_id']]),
    );
    const ids = events.map((event) => event['event_id']);
    expect(await storedAmong(ids, own.id)).toEqual(ids);
    const jobs = await api.sql<{ waiting: number }>(
      `select count(*)::int as waiting from background_jobs where name = 'error-tracking.group' and state in ('pending', 'handed')`,
    );
    expect(jobs[0]?.waiting).toBeLessThanOrEqual(1);
  });

  it('loses no other event if one cannot be stored', async () => {
    const store = api.app.get(ErrorEventStoreService, { strict: false });
    const event = {
      level: 'error',
      environment: null,
      release: null,
      occurredAt: new Date(),
      payload: '{}',
      facts: null,
    };
    const ids = Array.from({ length: 20 }, newEventId);
    const added = await Promise.allSettled(
      ids.map((id, index) =>
        index % 5 === 0
          ? store.add(2_000_000_000, [{ ...event, id }])
          : store.add(project.id, [{ ...event, id, environment: index % 5 === 1 ? 'a\0b' : null }]),
      ),
    );
    const good = ids.filter((_, index) => index % 5 > 1);
    expect(await storedAmong(ids)).toEqual(good);
    expect(added.map(({ status }) => status === 'fulfilled')).toEqual(ids.map((_, index) => index % 5 > 1));
    const [gone] = added as PromiseRejectedResult[];
    expect(gone?.reason).toMatchObject({ status: 404 });
  });
});
