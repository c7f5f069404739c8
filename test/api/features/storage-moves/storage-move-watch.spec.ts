import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { GIT_KINDS } from '#core/repositories/git/processes/git-kinds.js';
import { takeSlot, type TakenSlot } from '#core/repositories/git/processes/git-slots.js';
import { MoveTimings } from '#features/storage-moves/engine/run/move-timings.js';
import { StrayOwnersService } from '#features/storage-moves/watch/stray-owners.service.js';
import { WatchMovesProcessor } from '#features/storage-moves/watch/watch-moves.processor.js';
import { StagingSweepService } from '#features/storage-moves/watch/staging-sweep.service.js';
import { StorageWorld } from '../../../support/storage-world.js';
import { makeUnremovable, removeUnremovable } from '../../../support/unremovable.js';
import { until } from '../../../support/until.js';

let world: StorageWorld;
beforeAll(async () => {
  world = await StorageWorld.start();
});
afterAll(() => world.close());
afterEach(() => world.watchSteps(() => undefined));

it('the watch runs as many moves of a storage at a time as the setting says', async () => {
  await world.api.root.put('/application/settings', { repository_move_concurrency_per_storage: 2 });
  const ids = await Promise.all(
    ['one', 'two', 'three', 'four', 'five'].map((name) => world.filledProject(name)),
  );
  let running = 0;
  let most = 0;
  world.watchSteps(async (step) => {
    if (step === 'started') most = Math.max(most, (running += 1));
    if (step === 'copied') await new Promise((resolve) => setTimeout(resolve, 100));
    if (step === 'finished') running -= 1;
  });
  const moves = await Promise.all(ids.map((id) => world.schedule(id)));
  for (const { id } of moves) expect((await world.ended(id)).state).toBe('finished');
  expect(most).toBe(2);
});

it('the watch makes read-only projects writable again if they have no move', async () => {
  const id = await world.project('stray');
  await world.api.sql('update projects set repository_read_only = true where id = $1', [id]);
  const strays = world.api.app.get(StrayOwnersService, { strict: false });
  await strays.release();
  expect((await world.placeOf(id)).readOnly).toBe(true);
  Object.assign(world.api.app.get(MoveTimings, { strict: false }), { strayMs: 0 });
  await strays.release();
  expect((await world.placeOf(id)).readOnly).toBe(false);
});

it('the watch makes them writable again in time if the clock is set back', async () => {
  const id = await world.project('stray-clock');
  await world.api.sql('update projects set repository_read_only = true where id = $1', [id]);
  Object.assign(world.api.app.get(MoveTimings, { strict: false }), { strayMs: 100 });
  const strays = world.api.app.get(StrayOwnersService, { strict: false });
  await strays.release();
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000);
  try {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await strays.release();
  } finally {
    clock.mockRestore();
  }
  expect((await world.placeOf(id)).readOnly).toBe(false);
});

it('the watch resumes a move that lost its job, and leaves running moves alone', async () => {
  const watch = (): Promise<void> => world.api.app.get(WatchMovesProcessor, { strict: false }).process();
  const jobs = (): Promise<object[]> =>
    world.api.sql(`select id from background_jobs where name = 'storage-moves.run'`);
  const [abandoned, held] = await Promise.all([
    world.filledProject('abandoned'),
    world.filledProject('held'),
  ]);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  world.watchSteps((step) => (step === 'copied' ? released : undefined));
  const { id: heldMove } = await world.schedule(held);
  await until(async () => (await world.find(heldMove)).state === 'started');
  await watch();
  expect(await jobs()).toHaveLength(1);
  await world.api.sql('update projects set repository_read_only = true where id = $1', [abandoned]);
  const [move] = await world.api.sql<{ id: number }>(
    `insert into storage_moves (owner_type, owner_id, state, source_storage, destination_storage, run_token)
     values ('Project', $1, 'started', 'default', 'second', gen_random_uuid()) returning id`,
    [abandoned],
  );
  await watch();
  release();
  expect((await world.ended(move?.id ?? 0)).state).toBe('finished');
  expect((await world.ended(heldMove)).state).toBe('finished');
  expect(await world.placeOf(abandoned)).toEqual({ storage: 'second', readOnly: false });
});

it('folders of ended moves are removed, whichever of them cannot be', async () => {
  const folder = join(world.folder, 'b', '+moves');
  const place = (digit: string): string =>
    join(folder, `999999-${digit.repeat(8)}-0000-4000-8000-000000000000`);
  for (const digit of ['1', '3']) mkdirSync(place(digit), { recursive: true });
  makeUnremovable(place('2'));
  for (const digit of ['1', '2', '3']) utimesSync(place(digit), 0, 0);
  const sweep = world.api.app.get(StagingSweepService, { strict: false });
  try {
    await sweep.run(new AbortController().signal);
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([place('2')]);
  } finally {
    removeUnremovable(place('2'));
  }
});

it('a move holds up nothing else of the project while git waits to read its refs again', async () => {
  const id = await world.filledProject('read-again');
  const held: TakenSlot[] = [];
  world.watchSteps(async (step) => {
    if (step !== 'verified') return;
    for (let n = 0; n < GIT_KINDS.long.width; n += 1) held.push(await takeSlot('long', `/held/${n}`));
  });
  const { id: moveId } = await world.schedule(id);
  try {
    await until(() => held.some((place) => place.isWaitedFor()));
    const changed = await world.api.root.put(`/projects/${id}`, { description: 'Meanwhile' });
    expect(changed.status).toBe(200);
  } finally {
    held.forEach(({ release }) => release());
  }
  expect((await world.ended(moveId)).state).toBe('finished');
});
