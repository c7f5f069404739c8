import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { clusterName, stopLeftovers } from '#kernel/database/embedded/leftovers.js';
import { ApiClient } from '../../support/client.js';
import { launch, processesWith, untilAnnounced, type Launched } from '../../support/launch.js';
import { freePort, ROOT_TOKEN } from '../../support/processes.js';
import { until } from '../../support/until.js';

describe('several processes on one port', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-cluster-'));
  let port = 0;
  let primary: Launched | undefined;
  let root: ApiClient;
  beforeAll(async () => {
    port = await freePort();
    root = new ApiClient(`http://127.0.0.1:${port}`, ROOT_TOKEN);
  });
  afterEach(async () => {
    primary?.signal('SIGKILL');
    await primary?.ended;
    if (existsSync(join(dataDir, 'postgres')))
      await stopLeftovers(join(dataDir, 'postgres'), () => undefined);
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const begin = (env: Record<string, string> = {}): Launched =>
    (primary = launch('scripts/start.mjs', {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      INITIAL_ROOT_TOKEN: ROOT_TOKEN,
      API_PROCESSES: '2',
      ...env,
    }));
  const start = async (): Promise<Launched> => {
    const launched = begin();
    await untilAnnounced(launched);
    return launched;
  };
  const servers = (): number[] => processesWith(clusterName(join(dataDir, 'postgres')));
  /** Processes forked by the primary; the last one runs the jobs. */
  const processes = ({ pid }: Launched): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number)
      .filter((child) => processesWith('scripts/start.mjs clustered').includes(child));
  /** Whether a signal handler for SIGHUP, the lowest bit, is installed. */
  const handlesHangUp = ({ pid }: Launched): boolean => {
    const [, caught = '0'] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (BigInt(`0x${caught}`) & 1n) === 1n;
  };
  /** The status of a response on a new connection, or on that of the agent, or the code of an error. */
  const statusOf = (path: string, agent?: Agent): Promise<number | string> =>
    new Promise((resolve) => {
      const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN };
      const sent = request(
        { port, path: `/api/v4${path}`, headers, agent: agent ?? new Agent() },
        (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        },
      );
      sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end();
    });

  it('count throttles and metrics together, and run jobs in a separate process', async () => {
    const launched = await start();
    expect(processes(launched)).toHaveLength(3);
    // 30 each, four of them during a rolling restart, and ten.
    const { body: health } = await root.get<{ database: { max_connections: number } }>('/admin/health');
    expect(health.database.max_connections).toBeGreaterThanOrEqual(130);
    const gone = await root.post<{ id: number }>('/projects', { name: 'gone' });
    expect((await root.delete(`/projects/${gone.body.id}`)).status).toBe(202);
    const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/-/metrics`)).text();
    await until(async () => /^jobs_total\{.*job="projects\.delete".*\} 1$/m.test(await metrics()));
    await root.put('/application/settings', {
      throttle_authenticated_api_enabled: true,
      throttle_authenticated_api_requests_per_period: 12,
      throttle_authenticated_api_period_in_seconds: 600,
    });
    const counted = async (): Promise<number> =>
      Number(
        /^http_requests_total\{.*route="\/api\/v4\/version",status="200"\} (\d+)$/m.exec(
          await metrics(),
        )?.[1] ?? 0,
      );
    const before = await counted();
    // Each on its own connection: the primary distributes them in turn.
    const answers = await Promise.all(Array.from({ length: 40 }, () => statusOf('/version')));
    const served = answers.filter((status) => status === 200).length;
    expect([answers.filter((status) => status === 429).length + served, served]).toEqual([40, 12]);
    expect((await counted()) - before).toBe(12);
    process.kill(launched.pid, 'SIGTERM');
    expect(await launched.ended).toBe(0);
    expect(servers()).toEqual([]);
  });

  it('are replaced one by one on SIGHUP, and no request fails', async () => {
    const launched = await start();
    await root.put('/application/settings', { throttle_authenticated_api_enabled: false });
    const former = processes(launched);
    const failed: unknown[] = [];
    let isRunning = true;
    const callers = Array.from({ length: 6 }, async (_, number) => {
      const agent = number % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
      while (isRunning) {
        const status = await statusOf('/projects', agent);
        if (status !== 200) failed.push(status);
        // Starting processes also need some of the cores.
        await sleep(10);
      }
      agent?.destroy();
    });
    // Clients of a busy machine send late, on connections that they opened or used long before.
    const held = setInterval(() => hold(800), 1_100);
    process.kill(launched.pid, 'SIGHUP');
    await until(() => launched.output().includes('All processes were replaced'), 60_000);
    clearInterval(held);
    isRunning = false;
    await Promise.all(callers);
    expect(failed).toEqual([]);
    expect(processes(launched)).toHaveLength(3);
    expect(processes(launched).filter((pid) => former.includes(pid))).toEqual([]);
  });

  it('are restarted when killed, while the others keep serving', async () => {
    const launched = begin();
    await until(() => handlesHangUp(launched));
    process.kill(launched.pid, 'SIGHUP');
    await untilAnnounced(launched);
    await until(() => launched.output().includes('All processes were replaced'), 60_000);
    const [first = 0, , worker = 0] = processes(launched);
    process.kill(first, 'SIGKILL');
    process.kill(worker, 'SIGKILL');
    await until(() => !existsSync(`/proc/${first}`));
    expect(await statusOf('/version')).toBe(200);
    await until(() => processes(launched).length === 3);
    expect(launched.output()).toContain(
      'The api process ended unexpectedly (SIGKILL): restarting it in 0.5 s',
    );
    expect(launched.output()).toContain(
      'The worker process ended unexpectedly (SIGKILL): restarting it in 0.5 s',
    );
    // Messages about a process that nobody reads any more do not end the others.
    launched.unhear();
    const [, second = 0] = processes(launched);
    process.kill(second, 'SIGKILL');
    await until(() => processes(launched).filter((pid) => pid !== second).length === 3);
    expect(await statusOf('/version')).toBe(200);
  });

  it('leave no connection open that a killed one was handed and has not taken', async () => {
    const launched = await start();
    const serving = processes(launched).slice(0, 2);
    for (const pid of serving) process.kill(pid, 'SIGSTOP');
    // One is handed to each of them; the others wait in the primary.
    const asked = Array.from({ length: 6 }, () => statusOf('/version'));
    await sleep(500);
    process.kill(serving[0] as number, 'SIGKILL');
    await until(() => processes(launched).length === 3);
    process.kill(serving[1] as number, 'SIGCONT');
    const answers = await Promise.all(asked.map((one) => Promise.race([one, sleep(10_000, 'no answer')])));
    expect([...answers].sort()).toEqual([200, 200, 200, 200, 200, 'ECONNRESET']);
  });

  it('serve clones and pushes of one repository concurrently', async () => {
    await start();
    const { body } = await root.post<{ id: number }>('/projects', {
      name: 'code',
      initialize_with_readme: true,
    });
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-clones-'));
    const git = (...args: string[]): Promise<unknown> =>
      promisify(execFile)('git', ['-c', 'user.name=R', '-c', 'user.email=r@example.com', ...args]);
    try {
      const names = Array.from({ length: 8 }, (_, number) => `clone-${number}`);
      await Promise.all(
        names.map(async (name) => {
          const clone = join(folder, name);
          await git('clone', '-q', `http://root:${ROOT_TOKEN}@127.0.0.1:${port}/root/code.git`, clone);
          await git('-C', clone, 'commit', '-q', '--allow-empty', '-m', name);
          await git('-C', clone, 'push', '-q', 'origin', `HEAD:refs/heads/${name}`);
        }),
      );
      const branches = await root.get<{ name: string }[]>(`/projects/${body.id}/repository/branches`);
      expect(branches.body.map(({ name }) => name)).toEqual([...names, 'main']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each(['when they serve', 'while they start'])(
    'leave nothing behind when the primary is killed %s',
    async (when) => {
      const launched = when === 'when they serve' ? await start() : begin();
      await until(() => processes(launched).length === 3);
      const all = processes(launched);
      process.kill(launched.pid, 'SIGKILL');
      await until(() => all.every((pid) => !existsSync(`/proc/${pid}`)) && servers().length === 0);
    },
  );

  it('report an invalid configuration at the start', async () => {
    const tooMany = begin({ API_PROCESSES: '9' });
    expect(await tooMany.ended).toBe(1);
    expect(tooMany.problems()).toBe(
      'The configuration is not valid: API_PROCESSES must be at most 8 with the embedded database\n',
    );
    const none = begin({ API_PROCESSES: 'all' });
    expect(await none.ended).toBe(1);
    expect(none.problems()).toContain('API_PROCESSES');
  });
});

/** Blocks this process. */
function hold(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
