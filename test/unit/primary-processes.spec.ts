import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrimaryProcesses } from '#kernel/cluster/primary-processes.js';
import { until } from '../support/until.js';

/** Takes a while to start, and then cannot while there is a file of that name. */
const PROCESS = `
  import { existsSync } from 'node:fs';
  setTimeout(() => {
    if (existsSync(process.env.BROKEN)) process.exit(1);
    process.send({ does: 'ready' });
  }, Number(process.env.START_MS));
  process.on('message', ({ does }) => {
    if (does === 'retire') process.exit(0);
    if (does === 'call') process.send({ does: 'here' });
  });`;

describe('the processes of a primary', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-primary-'));
  const broken = join(folder, 'broken');
  const failures: number[] = [];
  let said = '';
  let current: PrimaryProcesses | undefined;
  beforeAll(() => {
    writeFileSync(join(folder, 'process.mjs'), PROCESS);
    cluster.setupPrimary({ exec: join(folder, 'process.mjs'), args: [], execArgv: [] });
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(async () => {
    rmSync(broken, { force: true });
    await current?.stop();
  });
  afterAll(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (startMs: number, callMs = 10_000): Promise<PrimaryProcesses> => {
    said = '';
    failures.length = 0;
    current = new PrimaryProcesses({
      api: 2,
      hasWorker: true,
      environment: { BROKEN: broken, START_MS: String(startMs) },
      startMs: 60_000,
      stopMs: 60_000,
      callMs,
      onFailure: (code) => failures.push(code),
    });
    await current.start();
    return current;
  };
  const workers = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
  const restarts = (): number => said.split('restarting it').length - 1;

  it('are as many after a rolling restart in which one crashed', async () => {
    const processes = await start(1_500);
    const former = workers();
    const rolling = processes.roll(() => Promise.resolve());
    await sleep(100);
    former[0]?.process.kill('SIGKILL');
    await rolling;
    await until(() => workers().length === 3);
    expect(workers().filter((worker) => former.includes(worker))).toEqual([]);
  });

  it('are as many after a rolling restart that failed and in which one crashed', async () => {
    const processes = await start(1_500);
    const former = workers();
    writeFileSync(broken, '');
    const rolling = processes.roll(() => Promise.resolve());
    await sleep(100);
    former[0]?.process.kill('SIGKILL');
    await rolling;
    expect(former.map((worker) => worker.isDead())).toEqual([true, false, false]);
    rmSync(broken);
    await until(() => workers().length === 3);
    expect(failures).toEqual([]);
  });

  it('keep serving while another one cannot be restarted, for however long', async () => {
    await start(10);
    const [first, second, worker] = workers();
    writeFileSync(broken, '');
    first?.process.kill('SIGKILL');
    worker?.process.kill('SIGKILL');
    // Of each, more often than a service that serves nothing is started.
    await until(() => restarts() >= 10 || failures.length > 0);
    expect([failures, second?.isDead()]).toEqual([[], false]);
    rmSync(broken);
    await until(() => workers().length === 3);
    writeFileSync(broken, '');
    for (const one of workers()) one.process.kill('SIGKILL');
    await until(() => failures.length > 0);
    expect(failures[0]).toBe(1);
  });

  it('are as many again once the system can start processes, after a restart and a rolling restart that it could not', async () => {
    const processes = await start(10);
    const former = workers();
    cluster.setupPrimary({ cwd: join(folder, 'missing') });
    former[0]?.process.kill('SIGKILL');
    await until(() => restarts() >= 2);
    await processes.roll(() => Promise.resolve());
    const fork = jest.spyOn(cluster, 'fork').mockImplementation(() => {
      throw new Error('spawn ENOMEM');
    });
    const before = restarts();
    await until(() => restarts() > before);
    await processes.roll(() => Promise.resolve());
    fork.mockRestore();
    cluster.setupPrimary({ cwd: folder });
    await until(() => workers().length === 3 && workers().every((worker) => !worker.isDead()));
    expect(former.map((worker) => worker.isDead())).toEqual([true, false, false]);
    expect(failures).toEqual([]);
  });

  it('are replaced if they hang, and only then', async () => {
    await start(10, 300);
    const former = workers();
    former[0]?.process.kill('SIGSTOP');
    former[2]?.process.kill('SIGSTOP');
    await until(() => former[0]?.isDead() === true && former[2]?.isDead() === true);
    await until(() => workers().length === 3);
    await sleep(3_000);
    expect([former[1]?.isDead(), restarts(), failures]).toEqual([false, 2, []]);
  });
});
