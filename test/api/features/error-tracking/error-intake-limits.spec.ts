import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildTrackedProject, type TrackedProject } from '../../../support/builders/tracked-project.js';
import {
  COLLECTOR,
  envelopeOf,
  sendToIntake,
  sentEvent,
  type Sending,
} from '../../../support/error-sender.js';
import { sendRaw } from '../../../support/raw-http.js';
import { runs } from '../../../support/runs.js';

const MEBIBYTE = 1024 * 1024;

let api: TestApi;
let project: TrackedProject;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  project = await buildTrackedProject(api.root);
});

const send = (
  body: string | Buffer,
  sending: Sending = {},
  to: TrackedProject = project,
): ReturnType<typeof sendToIntake> => sendToIntake(api.url, to, body, sending);

const gzipped = (body: string | Buffer, sending: Sending = {}): ReturnType<typeof sendToIntake> =>
  send(gzipSync(body), { ...sending, headers: { 'Content-Encoding': 'gzip' } });

const countStored = async (): Promise<number> => {
  const text = 'select count(*)::int as stored from error_tracking_events where project_id = $1';
  return (await api.sql<{ stored: number }>(text, [project.id]))[0]?.stored ?? -1;
};

const TOO_LARGE = [413, { message: '413 Request Entity Too Large' }];
const UNREADABLE = [400, { message: '400 Bad request - Failed to parse sentry request' }];
const UNSUPPORTED = [400, { message: '400 Bad request - Unsupported sentry payload' }];

/** The headers of a request whose body never arrives. */
const headOnly = (headers: string, key = project.key): string =>
  `POST ${COLLECTOR}/${project.id}/envelope/?sentry_key=${key} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;

describe('errors that cannot be read', () => {
  it('are refused with 400 and the reason', async () => {
    const event = JSON.stringify(sentEvent());
    for (const [body, to, expected] of [
      ['', 'envelope/', UNREADABLE],
      ['\n', 'envelope/', UNREADABLE],
      ['"text"', 'envelope/', UNREADABLE],
      ['[]\n{"type":"event"}\n{}', 'envelope/', UNREADABLE],
      ['nonsense', 'envelope/', UNREADABLE],
      [envelopeOf([['event', '']]), 'envelope/', UNREADABLE],
      [
        envelopeOf([
          ['session', {}],
          ['event', event.slice(0, -1)],
        ]),
        'envelope/',
        UNREADABLE,
      ],
      [envelopeOf([['event', {}]]), 'envelope/', UNSUPPORTED],
      [envelopeOf([['event', sentEvent({ platform: 'p'.repeat(256) })]]), 'envelope/', UNSUPPORTED],
      ['', 'store/', UNREADABLE],
      ['"text"', 'store/', UNREADABLE],
      ['[]', 'store/', UNREADABLE],
      [event.slice(0, -1), 'store/', UNREADABLE],
      ['{}', 'store/', UNSUPPORTED],
      [JSON.stringify(sentEvent({ platform: 'p'.repeat(256) })), 'store/', UNSUPPORTED],
      [`{"message":"m","extra":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'store/', UNREADABLE],
      [
        envelopeOf([['event', `{"message":"m","a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`]]),
        'envelope/',
        UNREADABLE,
      ],
    ] as const) {
      const answer = await send(body, { to });
      expect([body.slice(0, 80), to, answer.status, answer.body]).toEqual([
        body.slice(0, 80),
        to,
        ...expected,
      ]);
    }
    expect(await countStored()).toBe(0);
  });

  it('are refused with 400 if their compression is not the declared one', async () => {
    const body = envelopeOf([['event', sentEvent()]]);
    for (const [encoding, bytes] of [
      ['gzip', Buffer.from(body)],
      ['gzip', gzipSync(body).subarray(0, -9)],
      ['gzip', Buffer.alloc(0)],
      ['deflate', gzipSync(body)],
      ['br', Buffer.from(body)],
      ['zstd', Buffer.from(body)],
      ['gzip, gzip', gzipSync(gzipSync(body))],
      ['identity', gzipSync(body)],
    ] as const) {
      const answer = await send(bytes, { headers: { 'Content-Encoding': encoding } });
      expect([encoding, answer.status, answer.body]).toEqual([encoding, ...UNREADABLE]);
    }
    expect(await countStored()).toBe(0);
  });
});

describe('errors that are too large', () => {
  it('are refused above 1 MiB each', async () => {
    const event = (more: number): string => {
      const json = JSON.stringify(sentEvent({ extra: '' }));
      return json.replace('"extra":""', `"extra":"${'x'.repeat(MEBIBYTE - json.length + more)}"`);
    };
    for (const to of ['store/', 'envelope/'] as const) {
      const wrap = (json: string): string => (to === 'store/' ? json : envelopeOf([['event', json]]));
      expect((await gzipped(wrap(event(0)), { to })).status).toBe(200);
      expect((await send(wrap(event(0)), { to })).status).toBe(200);
      const answer = await gzipped(wrap(event(1)), { to });
      expect([answer.status, answer.body]).toEqual(TOO_LARGE);
    }
    expect(await countStored()).toBe(4);
  });

  it('are refused above 1 MiB together while compressed', async () => {
    const noise = (bytes: number): string =>
      envelopeOf([['attachment', randomBytes(bytes).toString('base64')]]);
    expect((await gzipped(noise(0.9 * MEBIBYTE))).status).toBe(200);
    const answer = await gzipped(noise(1.2 * MEBIBYTE));
    expect([answer.status, answer.body]).toEqual(TOO_LARGE);
  });

  it('are refused above 20 MiB together; below that each event is kept', async () => {
    const large = Array.from({ length: 20 }, () => sentEvent({ extra: 'x'.repeat(0.9 * MEBIBYTE) }));
    const body = envelopeOf(large.map((event) => ['event', event]));
    expect((await gzipped(body)).status).toBe(200);
    expect(await countStored()).toBe(20);
    const more = body + envelopeOf([['attachment', 'x'.repeat(3 * MEBIBYTE)]], {});
    for (const answer of [await gzipped(more), await send(more)])
      expect([answer.status, answer.body]).toEqual(TOO_LARGE);
    expect(await countStored()).toBe(20);
  });

  it('are refused before they have arrived if they declare their size', async () => {
    for (const headers of [
      `Content-Length: ${21 * MEBIBYTE}`,
      `Content-Encoding: gzip\r\nContent-Length: ${2 * MEBIBYTE}`,
    ]) {
      const answer = await sendRaw(api.url, headOnly(headers));
      expect([headers, answer.status, answer.head.includes('Connection: close')]).toEqual([
        headers,
        413,
        true,
      ]);
    }
    const wrongKey = await sendRaw(api.url, headOnly('Content-Length: 1000', 'wrong'));
    expect(wrongKey.status).toBe(401);
  });

  it('are not inflated beyond the limit', async () => {
    const zeros = Buffer.alloc(100 * MEBIBYTE);
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
    const bombs = [
      ['gzip', gzipSync(zeros)],
      ['deflate', deflateSync(zeros)],
      ['br', brotliCompressSync(zeros, quick)],
    ] as const;
    const before = process.memoryUsage.rss();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const [encoding, bytes] = bombs[n % bombs.length] ?? bombs[0];
        return send(bytes, { headers: { 'Content-Encoding': encoding } });
      }),
    );
    for (const answer of answers) expect([answer.status, answer.body]).toEqual(TOO_LARGE);
    // All of them inflated to the limit would be 600 MiB.
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MEBIBYTE);
    expect((await send(envelopeOf([['event', sentEvent()]]))).status).toBe(200);
  });

  it('are refused above 1,000 in one envelope', async () => {
    const items = (count: number): string =>
      envelopeOf(Array.from({ length: count }, (_, n) => ['event', { message: `m${n}` }] as const));
    expect((await send(items(1_000))).status).toBe(200);
    expect(await countStored()).toBe(1_000);
    for (const body of [items(1_001), `{}\n${'{"type":"s"}\n\n'.repeat(1_000_000)}`]) {
      const answer = await send(body);
      expect([answer.status, answer.body]).toEqual(TOO_LARGE);
    }
    expect(await countStored()).toBe(1_000);
  });
});

describe('hostile bodies', () => {
  it('get a status below 500, and do not affect events sent with them', async () => {
    const piece = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          '{}\n',
          '\n',
          '{"type":"event"}\n',
          '{"type":"event","length":1e9}\n',
          '{"message":"\\u0000\\ud800"}\n',
        )
        .map((text) => Buffer.from(text)),
      fc
        .constantFrom(
          '{"message":{},"event_id":{},"timestamp":"-1"}\n',
          '{"__proto__":{"message":"m"}}',
          '{"type":"event","length":-1}\n',
        )
        .map((text) => Buffer.from(text)),
    );
    const hostile = fc.array(piece).map((pieces) => Buffer.concat([Buffer.from('{}\n'), ...pieces]));
    const how = fc.constantFrom('envelope/', 'store/', 'envelope', 'store');
    const encoding = fc.constantFrom('identity', 'identity', 'gzip', 'br', 'deflate');
    let good = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(hostile, how, encoding), { maxLength: 8 }), async (bodies) => {
        const others = bodies.map(([body, to, name]) =>
          send(body, { to, headers: { 'Content-Encoding': name } }),
        );
        const neighbour = await send(envelopeOf([['event', sentEvent({ message: 'neighbour' })]]));
        good += 1;
        expect(neighbour.status).toBe(200);
        for (const answer of await Promise.all(others)) expect([200, 400]).toContain(answer.status);
      }),
      { numRuns: runs(40) },
    );
    const [row] = await api.sql<{ stored: number }>(
      `select count(*)::int as stored from error_tracking_events where project_id = $1 and payload like '%neighbour%'`,
      [project.id],
    );
    expect(row?.stored).toBe(good);
  });
});
