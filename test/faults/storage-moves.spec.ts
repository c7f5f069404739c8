import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Member } from '../support/installation.js';
import { keepLeases, LEFT_S, losing, startFaulty, takeDown } from '../support/move-faults.js';
import { MOVE_STEPS } from '../support/move-steps.js';
import { MovingInstallation, type EndedMove, type MovingProject } from '../support/moving-installation.js';
import { until } from '../support/until.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';

/**
 * Many moves, each of which lost its process after another step; `survivor` is the process that resumes them.
 */
interface Losses {
  readonly moving: MovingInstallation;
  readonly survivor: Member;
  readonly victims: ReadonlyMap<string, MovingProject>;
  readonly moves: ReadonlyMap<string, EndedMove>;
}

/** The name of a kill outside of the steps: half of the objects are copied. */
const AMID = 'none (amid the copy)';

async function killAmidCopy(moving: MovingInstallation, api: Member, project: MovingProject): Promise<void> {
  for (let count = 0; count < 4; count += 1) {
    const path = moving.place('a', project);
    const write = ['-c', 'core.looseCompression=0', '-C', path, 'hash-object', '-w', '--stdin'];
    execFileSync('git', write, { input: randomBytes(40_000_000) });
  }
  const worker = await moving.start('worker');
  const id = await moving.schedule(api.client, project);
  const folder = join(moving.folder, 'b/+moves');
  const isObject = (name: string): boolean => name.startsWith(`${id}-`) && /\/[0-9a-f]{38}$/.test(name);
  await until(() => readdirSync(folder, { recursive: true }).map(String).some(isObject));
  await worker.kill();
  await keepLeases(moving, 3_600);
}

/** Invariants after each step. */
function expectWhole(names: readonly string[], losses: () => Losses): void {
  it.each(names)('%s: the move finishes, with one copy and an unchanged project', async (step) => {
    const { moving, survivor, victims, moves } = losses();
    const project = victims.get(step);
    if (!project) throw new Error(`No move lost its process after ${step}`);
    expect(moves.get(step)).toMatchObject({ state: 'finished', error_message: null });
    expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'second'));
    await moving.use(survivor, project);
  });

  it('nothing is left behind, and no job waits', async () => {
    const { moving } = losses();
    expect(moving.remains()).toEqual([]);
    await moving.idle('storage-moves.run');
  });
}

async function endAll(
  moving: MovingInstallation,
  victims: ReadonlyMap<string, MovingProject>,
): Promise<ReadonlyMap<string, EndedMove>> {
  const moves = new Map<string, EndedMove>();
  await moving.ended([...victims.values()]);
  for (const [step, project] of victims) {
    const [move] = await moving.ended([project]);
    if (move) moves.set(step, move);
  }
  return moves;
}

describeWithRedis('kill -9 of a worker (queues in Redis) after the step', () => {
  let redis: TestRedis | undefined;
  let moving: MovingInstallation;
  let losses: Losses;
  beforeAll(async () => {
    redis = await createTestRedis();
    moving = await MovingInstallation.create({ redisUrl: redis?.url });
    const api = await moving.start('api');
    await moving.arrange(api);
    const [projects, workers] = await Promise.all([
      moving.projects(api, 'lost', MOVE_STEPS.length + 1),
      startFaulty(moving, 'worker', MOVE_STEPS, 'SIGKILL'),
    ]);
    await moving.idle();
    const large = projects.pop() as MovingProject;
    const down = await takeDown(moving, workers, projects, api);
    const victims = new Map<string, MovingProject>([[AMID, large]]);
    for (const [{ step }, project] of down) victims.set(step, project);
    await killAmidCopy(moving, api, large);
    const survivor = await moving.start('worker');
    await keepLeases(moving, LEFT_S);
    losses = { moving, survivor: api, victims, moves: await endAll(moving, victims) };
    expect(survivor.output()).not.toContain('"level":"error"');
  });
  afterAll(async () => {
    await moving.close();
    await redis?.drop();
  });

  expectWhole([...MOVE_STEPS, AMID], () => losses);
});

describe('kill -9 of the only process (embedded queue) after the step, restarted on the same folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-moving-data-'));
  let moving: MovingInstallation;
  let losses: Losses;
  beforeAll(async () => {
    moving = await MovingInstallation.create();
    const start = (env: Record<string, string>): Promise<Member> =>
      moving.start('all', { DATA_DIR: dataDir, ...env });
    let current = await start({});
    await moving.arrange(current);
    const projects = await moving.projects(current, 'lost', MOVE_STEPS.length);
    await moving.idle();
    const victims = new Map<string, MovingProject>();
    for (const [number, step] of MOVE_STEPS.entries()) {
      const project = projects[number];
      if (!project) throw new Error('There are not enough projects');
      await current.kill();
      current = await start(losing(step, 'SIGKILL'));
      // The process may be lost before it has responded.
      await moving.schedule(current.client, project).catch(() => 0);
      expect(await current.ended).toBe('SIGKILL');
      victims.set(step, project);
      await keepLeases(moving, 3_600);
    }
    const survivor = await start({});
    await keepLeases(moving, LEFT_S);
    losses = { moving, survivor, victims, moves: await endAll(moving, victims) };
    expect(survivor.output()).not.toContain('"level":"error"');
  });
  afterAll(async () => {
    await moving.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  expectWhole(MOVE_STEPS, () => losses);
});
