import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '#kernel/processes/command.js';
import { CommandStarter } from '#kernel/processes/command-starter.js';
import { until } from '../support/until.js';

interface Ended {
  readonly code: number | null;
  readonly output: Buffer;
  readonly errors: string;
}

const shell = (script: string, values: Partial<Command> = {}): Command => ({
  program: 'sh',
  args: ['-c', script],
  env: { PATH: process.env['PATH'] ?? '' },
  ownGroup: false,
  input: '',
  ...values,
});

/** Runs a command to its end; `begun` receives a function that kills it. */
const run = (
  starter: CommandStarter,
  command: Command,
  begun: (kill: () => void) => void = () => undefined,
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let errors = '';
    const running = starter.start(command, {
      output: (piece) => pieces.push(piece),
      errors: (text) => (errors += text),
      failed: reject,
      closed: (code) => resolve({ code, output: Buffer.concat(pieces), errors }),
    });
    begun(() => running.kill());
  });

/** Starts an open command; `ended` tells how it ended. */
function converse(starter: CommandStarter, script: string, values: Partial<Command> = {}) {
  const pieces: Buffer[] = [];
  let end = (_: string): void => undefined;
  const ended = new Promise<string>((resolve) => (end = resolve));
  const open = starter.converse(shell(script, values), {
    output: (piece) => pieces.push(piece),
    errors: end,
    closed: (code) => end(`closed ${String(code)}`),
    failed: ({ message }) => end(message),
  });
  return { open, ended, text: () => Buffer.concat(pieces).toString() };
}

/** Returns the id of the process that has started a command. */
const parentOf = async (starter: CommandStarter): Promise<number> =>
  Number((await run(starter, shell('echo $PPID'))).output);

/** Returns a starter whose process runs: this process starts the first command itself. */
async function started(program?: string, idleMs?: number, stuckMs?: number): Promise<CommandStarter> {
  const starter = new CommandStarter(program, idleMs, stuckMs);
  expect(await parentOf(starter)).toBe(process.pid);
  await until(async () => (await parentOf(starter)) !== process.pid);
  return starter;
}

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
const sleepers = (seconds: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });

/** A service that runs commands in each way, and git in each way in which only jobs run it. */
const SERVICE = `
  import { gitStarter } from '#core/repositories/git/processes/git-starter.js';
  import { readGit } from '#core/repositories/git/processes/read-git.js';
  import { inGitSlot, spawnGit } from '#core/repositories/git/processes/spawn-git.js';
  const run = (script, start = 'start', values = {}) => new Promise((resolve, reject) => {
    let output = '';
    const command = { program: 'sh', args: ['-c', script], env: { PATH: process.env.PATH }, ownGroup: true, input: '', ...values };
    const listener = { output: (piece) => (output += piece), errors() {}, failed: reject, closed: () => resolve(output.trim()) };
    gitStarter[start](command, listener);
  });
  const git = (seconds) => ['-c', 'alias.wait=!sleep ' + seconds, 'wait'];
  void run('sleep 81.5 & wait');
  while ((await run('echo $PPID')) === String(process.pid));
  void run('sleep 82.5 & wait');
  void run('exec sleep 83.5', 'start', { ownGroup: false });
  void run('sleep 84.5 & wait', 'startHere');
  void run('sleep 2; echo done > ' + process.env.DONE, 'start', { mustFinish: true });
  void readGit(null, git('85.5'), { kind: 'long', timeoutMs: 100_000 }, () => true);
  void inGitSlot('long', null, (slot) => new Promise(() => spawnGit(slot, git('86.5'))));
`;

/** A service that is busy from when it has asked for an open command: it never takes its ends. */
const BUSY_SERVICE = `
  import { gitStarter } from '#core/repositories/git/processes/git-starter.js';
  const command = { program: 'sleep', args: ['88.5'], env: { PATH: process.env.PATH }, ownGroup: true };
  const listener = { output() {}, errors() {}, failed() {}, closed() {} };
  while (!gitStarter.converse(command, listener)) await new Promise((resolve) => setTimeout(resolve, 20));
  for (;;);
`;

describe('CommandStarter', () => {
  it('passes input, output and exit code, whatever the size', async () => {
    const starter = await started();
    const input = Buffer.alloc(20_000_000, 'Some bytes ');
    const many = Array.from({ length: 30 }, (_, number) =>
      run(starter, shell(`echo ${number}; echo error >&2; exit ${number}`)),
    );
    expect((await run(starter, shell('cat', { input }))).output.equals(input)).toBe(true);
    for (const [number, { code, output, errors }] of (await Promise.all(many)).entries())
      expect([code, output.toString(), errors]).toEqual([number, `${number}\n`, 'error\n']);
  });

  it('fails no other command if the system refuses one because of its length', async () => {
    const starter = await started();
    const other = run(starter, shell('sleep 1; echo done'));
    await expect(run(starter, shell('true', { env: { LONG: 'x'.repeat(200_000) } }))).rejects.toThrow(
      'E2BIG',
    );
    await expect(run(starter, shell('true\0'))).rejects.toThrow('null bytes');
    expect((await other).output.toString()).toBe('done\n');
  });

  it('pauses a command whose output is not read', async () => {
    const starter = await started();
    const pid = await parentOf(starter);
    const ended = run(starter, shell('head -c 200000000 /dev/zero'));
    const until = performance.now() + 1_500;
    while (performance.now() < until);
    const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    expect(peak).toBeLessThan(130_000);
    expect((await ended).output).toHaveLength(200_000_000);
  });

  it('gives commands only their own environment', async () => {
    const starter = await started();
    const { output } = await run(
      starter,
      shell('env', { env: { PATH: process.env['PATH'] ?? '', OWN: 'ü' } }),
    );
    const names = output
      .toString()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.filter((name) => !['PATH', 'PWD', 'SHLVL', '_', 'OLDPWD', ''].includes(name ?? ''))).toEqual(
      ['OWN'],
    );
    expect(output.toString()).toContain('OWN=ü\n');
  });

  it('kills a command, and its children if it leads a group', async () => {
    const starter = await started();
    for (const [ownGroup, seconds] of [
      [false, '71.5'],
      [true, '72.5'],
    ] as const) {
      const script = ownGroup ? `sleep ${seconds} & wait` : `exec sleep ${seconds}`;
      let kill = (): void => undefined;
      const ended = run(starter, shell(script, { ownGroup }), (end) => (kill = end));
      await until(() => sleepers(seconds).length === 1);
      kill();
      kill();
      expect((await ended).code).toBeNull();
      await until(() => sleepers(seconds).length === 0);
    }
  });

  it('gives up a killed command only if another process keeps its output open', async () => {
    const starter = await started(undefined, undefined, 300);
    let kill = (): void => undefined;
    const held = run(starter, shell('sleep 73.5 & exec sleep 74.5'), (end) => (kill = end));
    const other = run(starter, shell('sleep 1.5; echo other'));
    await until(() => sleepers('73.5').length === 1);
    kill();
    expect((await held).code).toBeNull();
    expect((await other).output.toString()).toBe('other\n');
    for (const pid of sleepers('73.5')) process.kill(Number(pid));
  });

  it('reports that a command cannot be started', async () => {
    const starter = await started();
    await expect(run(starter, shell('', { program: 'no-such-program' }))).rejects.toThrow('ENOENT');
    expect((await run(starter, shell('exit 3'))).code).toBe(3);
    const { open, ended } = converse(starter, '', { program: 'no-such-program' });
    open?.write('nobody reads this');
    expect(await ended).toMatch('ENOENT');
    expect((await run(starter, shell('exit 4'))).code).toBe(4);
  });

  it('fails running commands when its process is lost, and then replaces the process', async () => {
    const starter = await started();
    const pid = await parentOf(starter);
    const lost = run(starter, shell('sleep 0.4'), () => process.kill(pid, 'SIGKILL'));
    await expect(lost).rejects.toThrow('has exited');
    await until(async () => ![process.pid, pid].includes(await parentOf(starter)));
  });

  it('ends all commands when the service is killed, except those that must finish', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-starter-'));
    const done = join(folder, 'done');
    const seconds = ['81.5', '82.5', '83.5', '84.5', '85.5', '86.5'];
    const service = spawn(process.execPath, ['--input-type=module', '-e', SERVICE], {
      env: { PATH: process.env['PATH'], DONE: done },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      await until(() => seconds.every((one) => sleepers(one).length === 1));
      const ended = once(service, 'exit');
      service.kill('SIGKILL');
      await ended;
      await until(() => seconds.every((one) => sleepers(one).length === 0), 10_000);
      await until(() => existsSync(done), 10_000);
    } finally {
      service.kill('SIGKILL');
      for (const pid of seconds.flatMap(sleepers)) process.kill(Number(pid), 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('ends an open command if the service is killed before it has taken its ends', async () => {
    const service = spawn(process.execPath, ['--input-type=module', '-e', BUSY_SERVICE], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      await until(() => sleepers('88.5').length === 1);
      const ended = once(service, 'exit');
      service.kill('SIGKILL');
      await ended;
      await until(() => sleepers('88.5').length === 0, 5_000);
    } finally {
      service.kill('SIGKILL');
      for (const pid of sleepers('88.5')) process.kill(Number(pid), 'SIGKILL');
    }
  });

  it('talks to an open command, however much, until it is killed or its process is lost', async () => {
    const starter = await started();
    for (const isLost of [false, true]) {
      const { open, text, ended } = converse(starter, 'exec cat');
      const long = 'Some words '.repeat(500_000);
      // Before its streams have arrived, and once they have.
      open?.write('first ');
      await until(() => text() === 'first ');
      open?.write(long);
      await until(() => text().length === 6 + long.length);
      expect(text()).toBe(`first ${long}`);
      if (isLost) process.kill(await parentOf(starter), 'SIGKILL');
      else open?.kill();
      expect(await ended).toMatch(isLost ? /has exited$/ : /^closed null$/);
      open?.write('nobody reads this');
      open?.kill();
    }
  });

  it('ends the input of an open command whose process is lost', async () => {
    const starter = await started();
    const { open, text, ended } = converse(starter, 'cat; exec sleep 87.5');
    open?.write('something');
    await until(() => text() === 'something');
    process.kill(await parentOf(starter), 'SIGKILL');
    expect(await ended).toMatch(/has exited$/);
    await until(() => sleepers('87.5').length === 1);
    for (const pid of sleepers('87.5')) process.kill(Number(pid));
  });

  it('works without a process that cannot be started', async () => {
    const starter = new CommandStarter('/nowhere/starter.js');
    for (let round = 0; round < 3; round += 1) {
      expect(await parentOf(starter)).toBe(process.pid);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  it('ends its process when it is idle, and starts another', async () => {
    const starter = await started(undefined, 300);
    const pid = await parentOf(starter);
    await until(() => !isAlive(pid));
    expect(await parentOf(starter)).toBe(process.pid);
    await until(async () => ![process.pid, pid].includes(await parentOf(starter)));
  });
});
