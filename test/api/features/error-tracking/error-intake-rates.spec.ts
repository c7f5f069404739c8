import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

const countStored = async (): Promise<number> => {
  const text = 'select count(*)::int as stored from error_tracking_events where project_id = $1';
  return (await api.sql<{ stored: number }>(text, [project.id]))[0]?.stored ?? -1;
};

/** The headers of a request whose body never arrives. */
const headOnly = (headers: string): string =>
  `POST ${COLLECTOR}/${project.id}/envelope/?sentry_key=${project.key} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;

describe('errors above the rate limit of a project', () => {
  const event = (): string => envelopeOf([['event', sentEvent()]]);
  const setLimit = async (limit: number): Promise<void> => {
    await api.root.put('/application/settings', { error_tracking_rate_limit_per_minute: limit });
  };
  beforeEach(() => setLimit(3));
  afterAll(() => setLimit(0));

  it('are refused with 429 and all headers that make SDKs wait', async () => {
    for (let sent = 0; sent < 3; sent += 1) expect((await send(event())).status).toBe(200);
    const answer = await send(event(), { headers: { Origin: 'https://shop.test' } });
    expect([answer.status, answer.body]).toEqual([429, { message: '429 Too Many Requests' }]);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(answer.headers.get('x-sentry-rate-limits')).toBe(`${seconds}::project:rate_limit`);
    expect(answer.headers.get('ratelimit-limit')).toBe('3');
    expect(answer.headers.get('ratelimit-remaining')).toBe('0');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await countStored()).toBe(3);
    const other = await buildTrackedProject(api.root);
    expect((await send(event(), {}, other)).status).toBe(200);
    await setLimit(0);
    expect((await send(event())).status).toBe(200);
  });

  it('are refused before they have arrived', async () => {
    for (let sent = 0; sent < 3; sent += 1) await send(event());
    expect((await sendRaw(api.url, headOnly('Content-Length: 1000'))).status).toBe(429);
    // Without a key outside of the body the request is not counted, but the body is not read either.
    expect((await sendRaw(api.url, headOnly('Content-Length: 1000').replace(/\?\S+/, ''))).status).toBe(429);
  });

  it('are counted individually, however they are batched', async () => {
    const two = envelopeOf([
      ['event', sentEvent()],
      ['session', {}],
      ['event', sentEvent()],
    ]);
    expect((await send(two)).status).toBe(200);
    expect((await send(two)).status).toBe(429);
    expect(await countStored()).toBe(2);
  });

  it('are counted without other items sent with them or instead of them', async () => {
    const others = envelopeOf([
      ['session', { sid: 'a', status: 'ok' }],
      ['client_report', { discarded_events: [] }],
      ['transaction', { type: 'transaction' }],
    ]);
    for (let sent = 0; sent < 5; sent += 1) expect((await send(others)).status).toBe(200);
    const transaction = JSON.stringify({ type: 'transaction', transaction: 'GET /' });
    for (let sent = 0; sent < 5; sent += 1)
      expect((await send(transaction, { to: 'store/' })).status).toBe(200);
    for (let sent = 0; sent < 2; sent += 1) expect((await send(event())).status).toBe(200);
    expect((await send(JSON.stringify(sentEvent()), { to: 'store/' })).status).toBe(200);
    expect(await countStored()).toBe(3);
    // Once the limit is used up, no body is read, and SDKs are told to hold back all items.
    const refused = await send(others);
    expect([refused.status, refused.headers.get('x-sentry-rate-limits')]).toEqual([
      429,
      `${refused.headers.get('retry-after')}::project:rate_limit`,
    ]);
  });

  it('are counted even if they are rejected', async () => {
    for (const [body, to] of [
      [envelopeOf([['event', '{']]), 'envelope/'],
      [envelopeOf([['event', {}]]), 'envelope/'],
      ['{}', 'store/'],
    ] as const)
      expect((await send(body, { to })).status).toBe(400);
    expect((await send(event())).status).toBe(429);
  });

  it('are counted only for callers with a key', async () => {
    const keyless = envelopeOf([['event', sentEvent()]], { dsn: 'https://wrong@forge.test/1' });
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await send(event(), { key: 'wrong' })).status).toBe(401);
      expect((await send(keyless, { key: null })).status).toBe(401);
    }
    const keyed = envelopeOf([['event', sentEvent()]], { dsn: `https://${project.key}@forge.test/1` });
    for (let sent = 0; sent < 3; sent += 1) expect((await send(keyed, { key: null })).status).toBe(200);
    expect((await send(keyed, { key: null })).status).toBe(429);
  });
});
