import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../support/installation.js';
import { awake, isDown, startFaulty, type FaultyWorker } from '../support/move-faults.js';
import { MovingInstallation, type MovingProject } from '../support/moving-installation.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

const DOWN_MS = 30_000;

// A killed Redis loses everything.
(hasRedisServer ? describe : describe.skip)('storage moves and a Redis that is lost', () => {
  let redis: RedisServer;
  let moving: MovingInstallation;
  let api: Member;
  let projects: MovingProject[];
  beforeAll(async () => {
    redis = await RedisServer.start();
    moving = await MovingInstallation.create({ redisUrl: redis.url });
    api = await moving.start('api');
    await moving.arrange(api);
    projects = await moving.projects(api, 'moved', 6);
  });
  afterAll(async () => {
    await moving.close();
    await redis.kill();
  });

  const restart = async (): Promise<void> => {
    await redis.kill();
    await redis.start();
  };

  const expectMoved = async (moved: readonly MovingProject[], storage: string): Promise<void> => {
    const moves = await moving.ended(moved);
    for (const move of moves) expect(move).toMatchObject({ state: 'finished', error_message: null });
    for (const project of moved) expect(await moving.look(project)).toEqual(moving.wholeOn(project, storage));
    expect(moving.remains()).toEqual([]);
  };

  it('kill -9 of the api before it could hand the moves over: they still run', async () => {
    await redis.kill();
    await moving.scheduleAll(api.client, projects);
    await api.kill();
    const states = `select distinct state from background_jobs where name = 'storage-moves.run'`;
    expect(await moving.installation.sql(states)).toEqual([{ state: 'pending' }]);
    await redis.start();
    api = await moving.start('api');
    const worker = await moving.start('worker');
    await expectMoved(projects, 'second');
    await moving.idle();
    await worker.stop();
  });

  it('Redis lost and empty while moves wait: all of them end', async () => {
    await moving.scheduleAll(api.client, projects, 'default');
    const handed = `select count(*) from background_jobs where name = 'storage-moves.run' and state = 'handed'`;
    await until(async () => (await moving.installation.count(handed)) === projects.length);
    await restart();
    const worker = await moving.start('worker');
    await expectMoved(projects, 'default');
    await worker.stop();
  });

  it('Redis down for 30 s while moves run: these finish meanwhile, and new ones finish afterwards', async () => {
    const [first, second, ...others] = projects as [MovingProject, MovingProject, ...MovingProject[]];
    const [worker] = (await startFaulty(moving, 'worker', ['copied'], 'SIGSTOP')) as [
      FaultyWorker,
      ...FaultyWorker[],
    ];
    await moving.scheduleAll(api.client, [first, second]);
    await until(() => isDown(worker), 30_000);
    await redis.kill();
    const back = sleep(DOWN_MS);
    await awake([worker], async () => {
      await moving.scheduleAll(api.client, others);
      await expectMoved([first, second], 'second');
    });
    await moving.use(api, first);
    await back;
    await worker.kill();
    await redis.start();
    await moving.start('worker');
    await expectMoved(others, 'second');
    await moving.idle();
    for (const project of [second, ...others]) await moving.use(api, project);
  });
});
