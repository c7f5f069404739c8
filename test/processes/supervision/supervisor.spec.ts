import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterName, stopLeftovers } from '#kernel/database/embedded/leftovers.js';
import { launch, processesWith, untilAnnounced, type Launched } from '../../support/launch.js';
import { freePort } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** Makes the product throw an uncaught error on SIGUSR2. */
const mistake = (what: string): string =>
  `--import=data:text/javascript,process.on('SIGUSR2',()=>{${encodeURIComponent(what)}})`;

describe('npm start keeps the service running', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-supervisor-'));
  let port = 0;
  let current: Launched | undefined;
  beforeAll(async () => {
    port = await freePort();
  });
  afterEach(async () => {
    current?.signal('SIGKILL');
    await current?.ended;
    await until(() => servers().length === 0);
  });
  afterAll(async () => {
    if (existsSync(join(dataDir, 'postgres')))
      await stopLeftovers(join(dataDir, 'postgres'), () => undefined);
    // The initdb of a start that was aborted may still write to it.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });

  const begin = (env: Record<string, string> = {}): Launched =>
    (current = launch('scripts/start.mjs', {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...env,
    }));
  const start = async (env: Record<string, string> = {}): Promise<Launched> => {
    const launched = begin(env);
    await untilAnnounced(launched);
    return launched;
  };
  /** None before the first start that has made a database, whichever test that is in. */
  const servers = (): number[] =>
    existsSync(join(dataDir, 'postgres')) ? processesWith(clusterName(join(dataDir, 'postgres'))) : [];
  const isServed = async (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/-/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  /** The product below the supervisor. */
  const product = ({ pid }: Launched): number =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  const announcements = ({ output }: Launched): number => output().split('is ready on').length - 1;

  it('restarts it after a kill, up to three times a minute, and leaves nothing behind when it gives up', async () => {
    const launched = await start();
    for (let count = 1; count <= 4; count += 1) {
      process.kill(product(launched), 'SIGKILL');
      if (count === 4) break;
      await until(() => announcements(launched) === count + 1);
      expect(await isServed()).toBe(true);
      expect(launched.output()).toContain(
        `(SIGKILL): restarting it (${count} of at most 3 restarts a minute)`,
      );
    }
    expect(await launched.ended).toBe(137);
    expect(launched.output()).toContain('the 4th time within a minute: giving up');
    await until(() => servers().length === 0);
    expect(await isServed()).toBe(false);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  it.each([
    ['uncaughtException', "throw new Error('a mistake of ours')"],
    ['unhandledRejection', "Promise.reject(new Error('a mistake of ours'))"],
  ])('restarts it after an %s, which it reports', async (origin, what) => {
    const launched = await start({ NODE_OPTIONS: mistake(what) });
    process.kill(product(launched), 'SIGUSR2');
    await until(() => announcements(launched) === 2);
    const fatal = launched
      .output()
      .split('\n')
      .filter((line) => line.includes('"fatal"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(fatal).toMatchObject([{ level: 'fatal', origin, error: { message: 'a mistake of ours' } }]);
    expect(launched.output()).toContain('(exit code 70): restarting it');
    expect(await isServed()).toBe(true);
  });

  it('replaces a service that hangs', async () => {
    const launched = await start();
    const hung = product(launched);
    process.kill(hung, 'SIGSTOP');
    await until(() => announcements(launched) === 2, 150_000);
    expect(launched.output()).toContain('has not responded');
    expect([product(launched) === hung, await isServed()]).toEqual([false, true]);
  });

  it('gives up if every start fails', async () => {
    const launched = begin({
      NODE_OPTIONS: `--import=data:text/javascript,if(process.argv[2]==='supervised')setTimeout(()=>process.abort(),900)`,
    });
    expect(await launched.ended).toBe(134);
    expect(launched.output().split('restarting it')).toHaveLength(4);
    await until(() => servers().length === 0);
  });

  it('does not restart an invalid configuration', async () => {
    const launched = begin({ LOG_LEVEL: 'loud' });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).not.toContain('restarting it');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'stops all processes when only the supervisor gets %s',
    async (signal) => {
      const launched = await start();
      process.kill(launched.pid, signal);
      expect(await launched.ended).toBe(0);
      expect(servers()).toEqual([]);
    },
  );

  it('stops all processes when the supervisor is killed', async () => {
    const launched = await start();
    const pid = product(launched);
    process.kill(launched.pid, 'SIGKILL');
    await until(() => !existsSync(`/proc/${pid}`) && servers().length === 0);
    expect(launched.output()).toContain('SIGTERM: stopping');
    expect(readdirSync(dataDir)).not.toContain('embedded.lock');
  });

  it('runs the service itself with SUPERVISE=false, and the database ends with it even after a kill', async () => {
    const launched = await start({ SUPERVISE: 'false' });
    expect(processesWith('scripts/start.mjs supervised')).not.toContain(launched.pid);
    const socket = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[4] ?? '';
    expect(existsSync(socket)).toBe(true);
    process.kill(launched.pid, 'SIGKILL');
    expect(await launched.ended).toBe('SIGKILL');
    await until(() => servers().length === 0 && !existsSync(socket));
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  it('runs the service itself if SUPERVISE_FILE names a file that says so', async () => {
    const file = join(dataDir, 'supervise');
    writeFileSync(file, 'false\n');
    const launched = await start({ SUPERVISE_FILE: file });
    const children = readFileSync(`/proc/${launched.pid}/task/${launched.pid}/children`, 'utf8').trim();
    const commands = children.split(' ').map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    expect(commands.filter((command) => command.includes('supervised'))).toEqual([]);
  });
});
