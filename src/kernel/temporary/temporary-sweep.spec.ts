import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { OWNED, removeTemporary, temporaryFile, temporaryFolder } from './temporary-files.js';
import { TemporarySweep } from './temporary-sweep.js';

const OWNER = `require('node:net').createServer((socket) => socket.end('1')).listen(process.argv[1], () => console.log('ready'))`;

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'forgeplane-sweep-'));
});
afterEach(async () => {
  await removeTemporary();
  rmSync(parent, { recursive: true, force: true });
});

/** Creates a folder as a process does, an hour old by default. */
function folder(name: string, ageMs = 3_600_000): string {
  const path = join(parent, name);
  mkdirSync(path);
  writeFileSync(join(path, 'project.bundle'), 'x');
  const at = new Date(Date.now() - ageMs);
  utimesSync(path, at, at);
  return path;
}

it('removes files of a killed process, and none of a running one', async () => {
  const path = folder(`${OWNED}owned`);
  const owner = spawn(process.execPath, ['-e', OWNER, join(path, 'embedded.lock')]);
  await once(owner.stdout, 'data');
  utimesSync(path, new Date(0), new Date(0));
  const sweep = new TemporarySweep();
  await sweep.run(parent);
  expect(existsSync(join(path, 'project.bundle'))).toBe(true);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  utimesSync(path, new Date(0), new Date(0));
  await sweep.run(parent);
  expect(existsSync(path)).toBe(false);
});

it('keeps recent files, and those of other programs', async () => {
  const [young, other] = [folder(`${OWNED}young`, 0), folder('forgeplane-other')];
  await new TemporarySweep().run(parent);
  expect([young, other].map((path) => existsSync(path))).toEqual([true, true]);
});

it('provides folders and files of this process, which are removed with it, even if they were deleted before', async () => {
  const [one, other] = [await temporaryFolder('bundle'), await temporaryFile('upload')];
  const own = join(one, '..');
  expect([existsSync(one), existsSync(other)]).toEqual([true, false]);
  expect(join(other, '..')).toBe(own);
  rmSync(own, { recursive: true });
  const again = await temporaryFolder('bundle');
  expect(existsSync(again)).toBe(true);
  await removeTemporary();
  expect(existsSync(join(again, '..'))).toBe(false);
});

it('retries if the disk refused a folder before', () => {
  const program = `import { mkdirSync } from 'node:fs';
    const files = await import(${JSON.stringify(resolve('dist/src/kernel/temporary/temporary-files.js'))});
    const first = await files.temporaryFolder('bundle').catch((error) => error.code);
    mkdirSync(process.env.TMPDIR);
    const second = await files.temporaryFolder('bundle');
    await files.removeTemporary();
    console.log(JSON.stringify([first, second.startsWith(process.env.TMPDIR)]));`;
  const env = { TMPDIR: join(parent, 'missing') };
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env });
  expect(JSON.parse(output.toString())).toEqual(['ENOENT', true]);
});
