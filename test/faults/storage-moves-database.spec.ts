import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPidFile, stopLeftovers } from '#kernel/database/embedded/leftovers.js';
import { spawnOwner, type Owner } from '../support/embedded-owner.js';
import type { Member } from '../support/installation.js';
import { awake, startFaulty, takeDown, type FaultyWorker } from '../support/move-faults.js';
import { MOVE_STEPS } from '../support/move-steps.js';
import { MovingInstallation, type MovingProject } from '../support/moving-installation.js';
import { until } from '../support/until.js';

describe('PostgreSQL stopped immediately and restarted while a worker is after the step', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-moving-database-'));
  const folder = join(dataDir, 'postgres');
  let owner: Owner;
  let moving: MovingInstallation;
  let api: Member;
  let down: Map<FaultyWorker, MovingProject>;
  beforeAll(async () => {
    // Eight processes share it: its usual 60 connections are for one.
    owner = await spawnOwner(dataDir, 200);
    moving = await MovingInstallation.create({ databaseUrl: owner.url });
    const workers = await startFaulty(moving, 'all', MOVE_STEPS, 'SIGSTOP');
    [api] = workers as [FaultyWorker, ...FaultyWorker[]];
    await moving.arrange(api);
    const projects = await moving.projects(api, 'cut', MOVE_STEPS.length);
    await moving.idle();
    down = await takeDown(moving, workers, projects);
    await restartDatabase();
    // Each continues in the middle of its step, with closed connections.
    await awake(workers, () => moving.ended(projects));
  });
  afterAll(async () => {
    await moving.close();
    owner.kill();
    await stopLeftovers(folder, () => undefined);
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function restartDatabase(): Promise<void> {
    const { pid } = readPidFile(folder) ?? { pid: 0 };
    process.kill(pid, 'SIGQUIT');
    await until(() => {
      const file = readPidFile(folder);
      return file !== undefined && file.pid !== pid && file.ready;
    }, 30_000);
  }

  it.each(MOVE_STEPS)('%s: the move finishes, with one copy and an unchanged project', async (step) => {
    const [, project] = [...down].find(([worker]) => worker.step === step) ?? [];
    if (!project) throw new Error(`No move was cut off after ${step}`);
    expect(await moving.ended([project])).toMatchObject([{ state: 'finished', error_message: null }]);
    expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'second'));
    await moving.use(api, project);
  });

  it('nothing is left behind, and no job waits', async () => {
    expect(moving.remains()).toEqual([]);
    await moving.idle('storage-moves.run');
  });
});
