import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clusterName, stopLeftovers } from '#kernel/database/embedded/leftovers.js';
import { runCli } from '../support/cli.js';
import { ApiClient } from '../support/client.js';
import { launch, processesWith, untilAnnounced, type Launched } from '../support/launch.js';
import { freePort } from '../support/processes.js';

const run = promisify(execFile);

/** The commands below a heading of the README. */
function commandsOf(heading: string): string {
  const section = readFileSync('README.md', 'utf8').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
}

describe('npm start on a fresh machine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-start-'));
  const commands = commandsOf('First calls');
  const token = /TOKEN=(\S+)/.exec(commands)?.[1] ?? '';
  let port = 0;
  let current: Launched | undefined;
  beforeAll(async () => {
    port = await freePort();
  });
  afterAll(async () => {
    current?.signal('SIGKILL');
    await current?.ended;
    if (existsSync(join(dataDir, 'postgres')))
      await stopLeftovers(join(dataDir, 'postgres'), () => undefined);
    rmSync(dataDir, { recursive: true, force: true });
  });

  const start = async (env: Record<string, string> = {}): Promise<Launched> => {
    current = launch('scripts/start.mjs', {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...env,
    });
    await untilAnnounced(current);
    return current;
  };
  const api = (path: string): string => `http://127.0.0.1:${port}${path}`;
  const servers = (): number[] => processesWith(clusterName(join(dataDir, 'postgres')));
  const deployments = async (): Promise<unknown[]> =>
    (await new ApiClient(api(''), token).get<unknown[]>('/projects/shop%2Fweb/deployments')).body;

  it('prints its URL and the credentials, with a generated password', async () => {
    const { output } = await start({ INITIAL_ROOT_TOKEN: token });
    expect(output()).toContain(`Forgeplane (all) is ready on http://localhost:${port}\n`);
    expect(output()).toMatch(/Administrator: root, password: \S{20,}\n/);
    expect(output()).toContain('Its token: as given in INITIAL_ROOT_TOKEN');
    expect(output()).not.toContain(token);
    const ready = await fetch(api('/-/readiness?all=1'));
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ok' }]);
    expect((await fetch(api('/-/docs'))).status).toBe(200);
  });

  it('answers the first calls of the README', async () => {
    expect(commands).toContain('API=http://localhost:3000/api/v4');
    const script = commands.replaceAll('localhost:3000', `127.0.0.1:${port}`);
    const { stdout, stderr } = await run('sh', ['-euc', script]);
    expect(stderr).toBe('');
    const lines = stdout.replaceAll('}{', '}\n{').replaceAll('}[', '}\n[').trim().split('\n');
    const answers = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers[0]).toMatchObject({ path_with_namespace: 'shop/web' });
    expect(answers.slice(1, 4)).toMatchObject([
      { iid: 1, status: 'success', environment: { name: 'production' } },
      { iid: 2, status: 'success' },
      { iid: 3, status: 'success' },
    ]);
    expect(answers[4]).toMatchObject([{ iid: 3 }, { iid: 2 }, { iid: 1 }]);
    expect(answers).toHaveLength(5);
  });

  it('makes its files accessible only to its own user', async () => {
    const wide = (): string[] =>
      readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('postgres'))
        .filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0);
    expect(wide()).toEqual([]);
    chmodSync(join(dataDir, 'objects'), 0o755);
    const found = await runCli(['doctor'], { DATA_DIR: dataDir });
    expect(found.stdout).toContain(
      `PROBLEM  only the service can access its files: ${join(dataDir, 'objects')} has mode 0755`,
    );
  });

  it('stops all processes on Ctrl-C', async () => {
    expect(servers().length).toBeGreaterThan(0);
    const begun = Date.now();
    current?.signal('SIGINT');
    expect(await current?.ended).toBe(0);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(servers()).toEqual([]);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
    expect(readdirSync(dataDir)).not.toContain('embedded.lock');
  });

  it('keeps everything for the next start, and does not show the credentials again', async () => {
    const { output } = await start();
    expect(statSync(join(dataDir, 'objects')).mode & 0o777).toBe(0o700);
    expect(output()).not.toContain('password');
    expect(await deployments()).toHaveLength(3);
  });

  it('refuses a second start on the same DATA_DIR, with the reason', async () => {
    const second = launch('scripts/start.mjs', { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain('is in use by another running Forgeplane process');
    expect(await deployments()).toHaveLength(3);
  });

  it('starts again after kill -9, with all data', async () => {
    current?.signal('SIGKILL');
    await current?.ended;
    await start();
    expect(await deployments()).toHaveLength(3);
    current?.signal('SIGTERM');
    expect(await current?.ended).toBe(0);
    expect(servers()).toEqual([]);
  });
});
