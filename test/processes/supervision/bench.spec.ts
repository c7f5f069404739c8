import { afterEach, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.js';

const folder = mkdtempSync(join(tmpdir(), 'forgeplane-interrupted-'));
let started: number[] = [];

afterEach(() => {
  for (const pid of started.filter(isRunning)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The processes that npm has started, and theirs. */
function family(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => [child, ...family(child)]);
}

it('an interrupted bench leaves neither servers nor folders behind', async () => {
  const bench = spawn('npm', ['run', 'bench', '--', '--quick', '--only=oauth,deployments'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [bench.stdout, bench.stderr]) stream.on('data', (data) => (output += String(data)));
  const ended = once(bench, 'exit');
  const all = (): number[] => family(bench.pid ?? 0);
  const commands = (): string =>
    all()
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
      .join('\n');
  await until(() => {
    if (bench.exitCode !== null) throw new Error(output);
    return /app\/main\.js[^]*bench\/floor\.js/.test(commands());
  }, 120_000);
  started = all();
  bench.kill('SIGTERM');
  await ended;
  await until(() => started.every((pid) => !isRunning(pid)), 5_000);
  expect(readdirSync(folder).filter((name) => name.startsWith('forgeplane-bench-'))).toEqual([]);
});

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
