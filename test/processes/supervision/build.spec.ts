import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stopLeftovers } from '#kernel/database/embedded/leftovers.js';
import { launch, untilAnnounced, type Launched } from '../../support/launch.js';
import { freePort } from '../../support/processes.js';

/** What a build needs, and the result of the last one, so that not everything is compiled anew. */
const PARTS = ['scripts', 'src', 'migrations', 'hooks', 'test/bench', 'test/support', 'dist'];
const FILES = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'openapi.json'];

/** Everything is compiled, beside other specs. */
const BUILT_WITHIN_MS = 220_000;

describe('npm start after a change of the sources', () => {
  const root = mkdtempSync(join(tmpdir(), 'forgeplane-build-'));
  const dataDir = join(root, 'data');
  let current: Launched | undefined;
  afterEach(async () => {
    current?.signal('SIGTERM');
    await current?.ended;
  });
  afterAll(async () => {
    if (existsSync(join(dataDir, 'postgres')))
      await stopLeftovers(join(dataDir, 'postgres'), () => undefined);
    rmSync(root, { recursive: true, force: true });
  });

  it('leaves nothing of the build running', async () => {
    for (const part of PARTS)
      cpSync(part, join(root, part), {
        recursive: true,
        filter: (path) => !/dist\/(specs|build\.(stamp|lock))/.test(path),
      });
    for (const file of FILES) cpSync(file, join(root, file));
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));

    current = launch(join(root, 'scripts/start.mjs'), {
      PORT: String(await freePort()),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
    });
    await untilAnnounced(current, BUILT_WITHIN_MS);

    expect(current.output()).toContain('Built in');
    const commands = below(current.pid).map(
      (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0],
    );
    expect(commands).toContain(process.execPath);
    expect(commands.filter((command) => command?.includes('esbuild'))).toEqual([]);
  });
});

/** All processes that this one started, and those that they started. */
function below(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => [child, ...below(child)]);
}
