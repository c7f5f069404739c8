import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isDown,
  keepLeases,
  LEFT_S,
  startFaulty,
  takeDown,
  untilUnlocked,
  wake,
  type FaultyWorker,
} from '../support/move-faults.js';
import { MOVE_STEPS, type MoveStep } from '../support/move-steps.js';
import { MovingInstallation, type EndedMove, type MovingProject } from '../support/moving-installation.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import type { Member } from '../support/installation.js';

/** Their moves fail when taken over, and are scheduled again; the last one fails after its copy was in place. */
const TWICE: readonly MoveStep[] = ['copied', 'verified', 'waited'];

/** Their repositories have moved back when they wake up: the copies that they still had to remove are in use again. */
const BACK: readonly MoveStep[] = ['replicated', 'placed'];

const STEPS = [...MOVE_STEPS, ...TWICE, ...BACK];

const cases = [
  ...MOVE_STEPS.map((step) => `${step}, woken when the move is finished`),
  ...TWICE.map((step) => `${step}, woken when the move has failed and another one is finished`),
  ...BACK.map((step) => `${step}, woken when the repository has moved back`),
];
const placeOf = (number: number): string => (number < cases.length - BACK.length ? 'second' : 'default');

describe('a process (embedded queue) that is suspended after the step', () => {
  let moving: MovingInstallation;
  let api: Member;
  let down: Map<FaultyWorker, MovingProject>;
  let victims: MovingProject[];
  let failed: EndedMove[];
  let finished: EndedMove[];
  let afterMoves: unknown[];
  beforeAll(async () => {
    moving = await MovingInstallation.create();
    const workers = await startFaulty(moving, 'all', STEPS, 'SIGSTOP');
    const [first] = workers as [FaultyWorker, ...FaultyWorker[]];
    await moving.arrange(first);
    const projects = await moving.projects(first, 'late', cases.length);
    await moving.idle();
    down = await takeDown(moving, workers, projects);
    victims = workers.map((worker) => down.get(worker) as MovingProject);
    await untilUnlocked(moving);
    await keepLeases(moving, 3_600);
    await failTwice(victims.slice(MOVE_STEPS.length, -BACK.length));
    await moving.ended(victims);
    await moving.scheduleAll(api.client, victims.slice(-BACK.length), 'default');
    finished = await moving.ended(victims);
    afterMoves = await Promise.all(victims.map((project) => moving.look(project)));
    expect(moving.remains()).toEqual([]);
    expect(await Promise.all(workers.map(wake))).toEqual(workers.map(() => 0));
  });
  afterAll(async () => {
    await moving.close();
  });

  /** Lets the moves of these projects fail and those of all others end, then schedules the failed ones again. */
  async function failTwice(projects: readonly MovingProject[]): Promise<void> {
    const last = projects.at(-1) as MovingProject;
    const [placing] = await startFaulty(moving, 'all', ['placed'], 'SIGKILL');
    await keepLeases(moving, 0, last);
    await placing?.ended;
    projects.forEach(spoilPack);
    api = await moving.start('all');
    await keepLeases(moving, LEFT_S);
    failed = await moving.ended(projects);
    projects.forEach(spoilPack);
    await moving.scheduleAll(api.client, projects);
  }

  /** Changes the last byte of a pack; a second call restores it. */
  function spoilPack(project: MovingProject): void {
    const folder = join(moving.place('a', project), 'objects/pack');
    const pack = join(folder, readdirSync(folder).find((name) => name.endsWith('.pack')) ?? '');
    const content = readFileSync(pack);
    content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
    writeFileSync(pack, content);
  }

  it.each(cases.map((name, number) => ({ name, number })))(
    '$name: changes nothing, and there is one copy',
    async ({ number }) => {
      const project = victims[number] as MovingProject;
      expect(afterMoves[number]).toEqual(moving.wholeOn(project, placeOf(number)));
      expect(await moving.look(project)).toEqual(afterMoves[number]);
      const [move] = await moving.ended([project]);
      expect(move).toMatchObject({ state: 'finished', error_message: null });
      expect(finished).toContainEqual(move);
      await moving.use(api, project);
    },
  );

  it('failed moves state the reason, and nothing is left behind', async () => {
    expect(failed.map(({ state }) => state)).toEqual(TWICE.map(() => 'failed'));
    for (const { error_message: text } of failed) expect(text).toMatch(/pack-\w+\.pack is broken$/);
    expect(moving.remains()).toEqual([]);
    await moving.idle('storage-moves.run');
  });
});

describeWithRedis('a worker (queues in Redis) that is suspended', () => {
  let redis: TestRedis | undefined;
  let moving: MovingInstallation;
  beforeAll(async () => {
    redis = await createTestRedis();
    moving = await MovingInstallation.create({ redisUrl: redis?.url });
  });
  afterAll(async () => {
    await moving.close();
    await redis?.drop();
  });

  it('is replaced by another worker, and changes nothing when it wakes up', async () => {
    const api = await moving.start('api');
    await moving.arrange(api);
    const projects = await moving.projects(api, 'late', 1);
    const workers = await startFaulty(moving, 'worker', ['verified'], 'SIGSTOP');
    await moving.idle();
    await moving.scheduleAll(api.client, projects);
    await until(() => workers.every(isDown), 30_000);
    await moving.start('worker');
    const [project] = projects as [MovingProject];
    expect(await moving.ended([project])).toMatchObject([{ state: 'finished', error_message: null }]);
    expect(await Promise.all(workers.map(wake))).toEqual([0]);
    expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'second'));
    expect(moving.remains()).toEqual([]);
    await moving.use(api, project);
  });
});
