import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { StorageMovesQueries } from '#features/storage-moves/storage-moves.queries.js';
import { EventTimings } from '#kernel/http/streams/event-timings.js';
import { MOST_STREAMS } from '#kernel/http/streams/open-streams.js';
import { ROOT_TOKEN } from '../../../support/api.js';
import { buildToken } from '../../../support/builders/token.js';
import { createUser } from '../../../support/builders/user.js';
import type { MoveStep } from '../../../support/move-steps.js';
import { StorageWorld, type MoveBody } from '../../../support/storage-world.js';
import { until } from '../../../support/until.js';

let world: StorageWorld;
let serial = 0;
beforeAll(async () => {
  world = await StorageWorld.start({ REQUEST_TIMEOUT_MS: '3000' });
  Object.assign(world.api.app.get(EventTimings, { strict: false }), { pollMs: 30, heartbeatMs: 200 });
});
afterAll(() => world.close());
afterEach(() => world.watchSteps(() => undefined));

/** A move that is paused after a step until the function is called. */
async function heldMove(at: MoveStep): Promise<{ id: number; release: () => void }> {
  const release = world.holdMoves(at);
  const project = await world.project(`watched-${(serial += 1)}`);
  await world.fill(projectRepository(project));
  return { id: (await world.schedule(project)).id, release };
}

const open = (id: number, signal?: AbortSignal, method = 'GET', token = ROOT_TOKEN): Promise<Response> =>
  fetch(`${world.api.url}/api/v4/project_repository_storage_moves/${id}/events`, {
    method,
    headers: { 'PRIVATE-TOKEN': token },
    ...(signal ? { signal } : {}),
  });

const statesIn = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => (JSON.parse(event.slice(6)) as MoveBody).state);

it('the stream sends the record until the move has ended, however long that takes', async () => {
  const { id, release } = await heldMove('copied');
  const response = await open(id);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  // Longer than a request may take.
  setTimeout(release, 3_500);
  const text = await response.text();
  const states = statesIn(text);
  expect(states.at(-1)).toBe('finished');
  expect(states).toContain('started');
  expect(text.match(/^: still there$/gm)?.length).toBeGreaterThan(2);
  expect(text).toMatch(/\n\nevent: end\ndata: finished\n\n$/);
  const events = text.split('\n\n').filter((event) => event.startsWith('data: '));
  expect(events.some((event, index) => event === events[index - 1])).toBe(false);
});

it('the stream reports an ended move immediately', async () => {
  const { id, release } = await heldMove('finished');
  release();
  await world.ended(id);
  expect(statesIn(await (await open(id)).text())).toEqual(['finished']);
  const head = await open(id, undefined, 'HEAD');
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
});

it('the stream ends for callers who lost access, which is checked with each heartbeat', async () => {
  const { id, release } = await heldMove('copied');
  const { id: adminId } = await createUser(world.api, { admin: true });
  const losses = [
    (token: number) => world.api.root.delete(`/personal_access_tokens/${token}`),
    () => world.api.root.put(`/users/${adminId}`, { admin: false }),
  ];
  for (const lose of losses) {
    const token = await buildToken(world.api, adminId);
    const watching = await open(id, AbortSignal.timeout(10_000), 'GET', token.token);
    // The move is paused: only the loss can interrupt the stream.
    const brokenOff = expect(watching.text()).rejects.toThrow('terminated');
    await lose(token.id);
    await brokenOff;
    expect((await open(id, undefined, 'GET', token.token)).status).toBeGreaterThanOrEqual(401);
  }
  release();
  await world.ended(id);
});

it('the stream stops polling when the client disconnects', async () => {
  const { id, release } = await heldMove('copied');
  let reads = 0;
  const looks = async (): Promise<number> => {
    const before = reads;
    await sleep(300);
    return reads - before;
  };
  const queries = world.api.app.get(StorageMovesQueries, { strict: false });
  const find = queries.find.bind(queries);
  queries.find = (...args) => {
    reads += 1;
    return find(...args);
  };
  const gone = new AbortController();
  const response = await open(id, gone.signal);
  await response.body?.getReader().read();
  await until(async () => (await looks()) > 1);
  gone.abort();
  await until(async () => (await looks()) === 0);
  queries.find = find;
  release();
  await world.ended(id);
});

it('a user has a limited number of streams, which others do not notice', async () => {
  const { id, release } = await heldMove('copied');
  const { id: adminId } = await createUser(world.api, { admin: true });
  const { token } = await buildToken(world.api, adminId);
  const closed = Array.from({ length: MOST_STREAMS }, () => new AbortController());
  const watching = await Promise.all(closed.map(({ signal }) => open(id, signal, 'GET', token)));
  expect(watching.map(({ status }) => status)).toEqual(Array(MOST_STREAMS).fill(200));
  const refused = await open(id, undefined, 'GET', token);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await open(id, AbortSignal.timeout(500))).status).toBe(200);
  closed[0]?.abort();
  await until(async () => (await open(id, AbortSignal.timeout(500), 'GET', token)).status === 200);
  for (const one of closed) one.abort();
  release();
  await world.ended(id);
});

it('the stream lets the server stop while a client watches', async () => {
  const other = await StorageWorld.start();
  other.watchSteps((step) => (step === 'copied' ? sleep(1_000) : undefined));
  const project = await other.project('watched');
  const { id } = await other.schedule(project);
  const response = await fetch(`${other.api.url}/api/v4/project_repository_storage_moves/${id}/events`, {
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
  });
  const text = response.text();
  await other.close();
  expect(statesIn(await text).at(0)).toMatch(/scheduled|started/);
});
