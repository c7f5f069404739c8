import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Member } from './installation.js';
import type { MoveStep } from './move-steps.js';
import type { MovingInstallation, MovingProject } from './moving-installation.js';
import { until } from './until.js';

/** A process that is lost or suspended after a certain step of the first move that it runs. */
export interface FaultyWorker extends Member {
  readonly step: MoveStep;
}

/**
 * Remaining lease of dead runs when others may resume them: as if their processes had been lost 20 seconds
 * ago.
 */
export const LEFT_S = 5;

/** Loses or suspends a process at each step of a move of that name. */
export const losing = (step: MoveStep, signal: 'SIGKILL' | 'SIGSTOP'): Record<string, string> => ({
  NODE_OPTIONS: `--import=${resolve('test/support/lose-at-step.mjs')}`,
  LOSE_AT: `${step}:${signal}`,
});

/** Starts a process for each step. */
export async function startFaulty(
  moving: MovingInstallation,
  kind: 'all' | 'worker',
  steps: readonly MoveStep[],
  signal: 'SIGKILL' | 'SIGSTOP',
): Promise<FaultyWorker[]> {
  const workers: FaultyWorker[] = [];
  for (const step of steps) workers.push({ ...(await moving.start(kind, losing(step, signal))), step });
  return workers;
}

/**
 * Schedules the moves of some projects, one after another, so that each stops one of the processes;
 * returns which. Without an `api` the processes are called themselves.
 */
export async function takeDown(
  moving: MovingInstallation,
  workers: readonly FaultyWorker[],
  projects: readonly MovingProject[],
  api?: Member,
): Promise<Map<FaultyWorker, MovingProject>> {
  const down = new Map<FaultyWorker, MovingProject>();
  for (const project of projects) {
    const left = workers.filter((worker) => !down.has(worker));
    const asked = (api ?? left[0])?.client;
    // The process may be down before it has answered.
    const answer = asked && moving.schedule(asked, project).catch(() => 0);
    if (api) await answer;
    await until(() => {
      const hit = left.find(isDown);
      if (hit) down.set(hit, project);
      return hit !== undefined;
    }, 30_000);
    await keepLeases(moving, 3_600);
  }
  return down;
}

/** Sets the remaining lease of runs, of dead processes or not: those of one project, or all. */
export const keepLeases = (
  moving: MovingInstallation,
  seconds: number,
  project?: MovingProject,
): Promise<unknown> =>
  moving.installation.sql(
    `update background_jobs set lease_until = now() + $1 * interval '1 second'
     where id in (select id from background_jobs where state = 'running' and name = 'storage-moves.run'
       and ($2::bigint is null or payload in (select jsonb_build_object('moveId', id) from storage_moves where owner_id = $2))
       for update skip locked)`,
    [seconds, project?.id ?? null],
  );

/** A stopped transaction is ended by the database, after a minute at the latest; until then it holds its locks. */
export const untilUnlocked = (moving: MovingInstallation): Promise<unknown> =>
  until(
    async () =>
      (await moving.installation.count(
        `select count(*) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
      )) === 0,
    90_000,
  );

/** Continues a suspended worker, and waits until it has ended all its work. */
export async function wake(worker: Member): Promise<number | string> {
  process.kill(worker.pid, 'SIGCONT');
  await until(async () => (await worker.client.get('/-/readiness')).status === 200, 30_000);
  return worker.stop();
}

/** Continues processes repeatedly while `work` runs, since each may be suspended more than once. */
export async function awake<T>(workers: readonly Member[], work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    for (const { pid } of workers) process.kill(pid, 'SIGCONT');
  }, 200);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Whether a process has ended, or is suspended by SIGSTOP (Linux). */
export function isDown({ pid }: Member): boolean {
  try {
    return /^State:\s+[TZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
