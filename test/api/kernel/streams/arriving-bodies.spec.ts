import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { HeldRequest } from '../../../support/held-request.js';
import { until } from '../../../support/until.js';

const PROXY = '127.0.0.3';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const BY_ROOT = { 'PRIVATE-TOKEN': ROOT_TOKEN };

let api: TestApi;
let open: HeldRequest[] = [];
beforeAll(async () => {
  api = await startApi({ MAX_CONCURRENT_REQUESTS: '20', TRUSTED_PROXIES: PROXY, LOG_LEVEL: 'silent' });
});
afterAll(() => api.close());
afterEach(async () => {
  for (const request of open) request.leave();
  open = [];
  await until(async () => (await running()) <= 1);
});

const running = async (): Promise<number> =>
  Number(/^http_requests_in_flight (\d+)/m.exec((await api.anonymous.get('/-/metrics')).text)?.[1]);

const begin = async (...asked: Parameters<typeof HeldRequest.begin>): Promise<HeldRequest> => {
  const request = await HeldRequest.begin(...asked);
  open.push(request);
  return request;
};

/** The number of requests of each status once all but `held` are answered; 0 for those that are held. */
async function outcome(requests: readonly HeldRequest[], held: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let answered = 0;
  for (const request of requests) void request.status.then(() => (answered += 1));
  await until(() => answered >= requests.length - held);
  const statuses = requests.map(async (one) => ((await one.isHeld(1_000)) ? 0 : one.status));
  for (const status of await Promise.all(statuses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('one client that begins many bodies', () => {
  it.each([
    'POST /api/v4/nothing',
    'POST /api/v4/projects',
    'POST /api/v4/bulk_imports',
    'POST /-/profile/emails',
    'GET /api/v4/version',
  ])('leaves three quarters of the requests to the others: %s', async (target) => {
    const requests = await Promise.all(
      Array.from({ length: 20 }, () => begin(api.url, target, FORM, { from: '127.0.0.2' })),
    );
    expect(await outcome(requests, 5)).toEqual({ 0: 5, 503: 15 });
    expect((await api.root.get('/version')).status).toBe(200);
    expect((await api.root.post('/projects', { name: target.replace(/\W/g, '-') })).status).toBe(201);
    const other = await begin(api.url, target, FORM);
    expect(await other.isHeld(500)).toBe(true);
  });

  it('is one client with all addresses of its IPv6 network, as a trusted proxy reports them', async () => {
    const requests = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        begin(
          api.url,
          'POST /api/v4/projects',
          { ...FORM, 'X-Forwarded-For': `2001:db8::${index + 1}` },
          { from: PROXY },
        ),
      ),
    );
    expect(await outcome(requests, 5)).toEqual({ 0: 5, 503: 15 });
    const neighbour = { ...FORM, 'X-Forwarded-For': '2001:db8:0:1::1' };
    const other = await begin(api.url, 'POST /api/v4/projects', neighbour, { from: PROXY });
    expect(await other.isHeld(500)).toBe(true);
  });

  it('is not believed to be many by what it says itself', async () => {
    const requests = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        begin(
          api.url,
          'POST /api/v4/projects',
          { ...FORM, 'X-Forwarded-For': `192.0.2.${index}` },
          { from: '127.0.0.2' },
        ),
      ),
    );
    expect(await outcome(requests, 5)).toEqual({ 0: 5, 503: 15 });
  });

  it('may go on once its bodies are complete', async () => {
    const requests = await Promise.all(
      Array.from({ length: 5 }, () => begin(api.url, 'POST /api/v4/projects', FORM)),
    );
    expect((await outcome(requests, 5))[0]).toBe(5);
    expect((await api.root.post('/projects', { name: 'refused' })).status).toBe(503);
    expect((await api.root.get('/version')).status).toBe(200);
    for (const request of requests) request.send('x'.repeat(1_000));
    for (const request of requests) expect(await request.status).toBe(401);
    expect((await api.root.post('/projects', { name: 'accepted' })).status).toBe(201);
  });
});

it('many clients that begin bodies leave a quarter of the requests to those without a body', async () => {
  const requests: HeldRequest[] = [];
  for (let host = 10; host < 30; host += 1)
    requests.push(await begin(api.url, 'POST /api/v4/projects', FORM, { from: `127.0.0.${host}` }));
  expect(await outcome(requests, 15)).toEqual({ 0: 15, 503: 5 });
  for (let count = 0; count < 5; count += 1) expect((await api.root.get('/version')).status).toBe(200);
});

/** Bodies that stop, each in a request that is answered with 408 after seconds. */
const STOPPED = [
  ['POST /api/v4/projects', FORM, 'a'],
  ['POST /api/v4/projects', { ...JSON_TYPE, Expect: '100-continue' }, ''],
  ['POST /api/v4/projects', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, '5\r\n{"a":'],
  ['POST /api/v4/projects', { ...JSON_TYPE, 'Content-Length': '100000' }, '{'],
  ['POST /api/v4/projects', { ...BY_ROOT, 'Content-Type': 'multipart/form-data; boundary=b' }, '--b'],
  // Without a limit of the time for the answer.
  ['POST /api/v4/bulk_imports', JSON_TYPE, ''],
  ['GET /-/bulk_imports/events', JSON_TYPE, ''],
] as const;

it('bodies that stop, and one that arrives byte by byte, are answered with 408 after seconds', async () => {
  const stopped = STOPPED.map(async ([target, headers, body], index) => {
    const request = await begin(api.url, target, headers, { body, from: `127.0.0.${40 + index}` });
    const isHeld = [await request.isHeld(3_000), await request.isHeld(30_000)];
    return [target, headers, ...isHeld, await request.status];
  });
  const slow = await begin(api.url, 'POST /api/v4/projects', FORM, { from: '127.0.0.50' });
  for (let count = 0; count < 30 && (await slow.isHeld(1_000)); count += 1) slow.send('a');
  expect(await Promise.all(stopped)).toEqual(
    STOPPED.map(([target, headers]) => [target, headers, true, false, 408]),
  );
  expect(await slow.status).toBe(408);
});

it('bodies that go on, and uploads that pause, are read to their end', async () => {
  const { body: project } = await api.root.post('/projects', { name: 'slow' });
  const path = `/api/v4/projects/${String(project['id'])}/packages/generic/slow/1.0.0/file.bin`;
  const pausing = await begin(api.url, `PUT ${path}`, BY_ROOT, { body: 'x'.repeat(500) });
  const length = { ...BY_ROOT, ...JSON_TYPE, 'Content-Length': String(15 * 300) };
  const steady = await begin(api.url, 'POST /api/v4/projects', length);
  for (let second = 0; second < 14; second += 1) {
    steady.send(' '.repeat(300));
    await sleep(1_000);
  }
  expect(await Promise.all([pausing.isHeld(0), steady.isHeld(0)])).toEqual([true, true]);
  steady.send('{"name":"steady"}'.padEnd(300));
  pausing.send('x'.repeat(500));
  expect(await Promise.all([pausing.status, steady.status])).toEqual([201, 201]);
});
