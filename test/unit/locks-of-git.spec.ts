import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '#core/repositories/git/git.js';
import { gitStarter } from '#core/repositories/git/processes/git-starter.js';
import { until } from '../support/until.js';

let folder: string;
let path: string;
let commit: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-locks-'));
  path = join(folder, 'bare.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--template=', path]);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const tree = execFileSync('git', ['-C', path, 'mktree'], { input: '', encoding: 'utf8' }).trim();
  commit = execFileSync('git', ['-C', path, ...identity, 'commit-tree', tree, '-m', 'One'], {
    encoding: 'utf8',
  }).trim();
  // As a disk that does not respond: git holds the lock of the ref meanwhile.
  writeFileSync(join(folder, 'reference-transaction'), '#!/bin/sh\n[ "$1" != prepared ] || exec sleep 60\n', {
    mode: 0o755,
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Hooks that are not those of the product. */
const slow = (): Record<string, string> => ({
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.hooksPath',
  GIT_CONFIG_VALUE_0: folder,
});

async function leavesNoLock(branch: string): Promise<void> {
  const input = `start\0create refs/heads/${branch}\0${commit}\0prepare\0commit\0`;
  const args = ['update-ref', '-z', '--stdin'];
  const lock = join(path, `refs/heads/${branch}.lock`);
  const late = git(path, args, { input, env: slow(), timeoutMs: 1_000 });
  await expect(late).rejects.toMatchObject({ reason: 'timeout' });
  expect(existsSync(lock)).toBe(false);
  await git(path, args, { input });
}

it('a change of refs that takes too long leaves no lock behind, which would block the branch', async () => {
  await leavesNoLock('one');
  const isStarted = async (): Promise<boolean> => {
    const parent = await new Promise<string>((resolve, reject) => {
      let output = '';
      const command = { program: 'sh', args: ['-c', 'echo $PPID'], env: {}, ownGroup: true, input: '' };
      gitStarter.start(command, {
        output: (piece) => (output += String(piece)),
        errors: () => undefined,
        failed: reject,
        closed: () => resolve(output.trim()),
      });
    });
    return parent !== String(process.pid);
  };
  await until(isStarted);
  await leavesNoLock('two');
});
