import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { runCommandLine } from '#cli/program.js';
import { within } from '#kernel/time/within.js';

/** Result of a command line. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  json(): unknown;
}

/** Runs `node dist/app/cli.js` with these arguments and no other variables than the given ones. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliRun> {
  const file = resolve('dist/app/cli.js');
  if (!existsSync(file))
    throw new Error('dist/app/cli.js is missing: run `npm run build` before these tests');
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += String(data)));
  child.stderr.on('data', (data) => (stderr += String(data)));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, stdout, stderr, json: (): unknown => JSON.parse(stdout) };
}

/** Variables with which a command is killed at a point of its work, as lose-at.mjs describes. */
export const losing = (point: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=${resolve('test/support/lose-at.mjs')}`,
  LOSE_AT: point,
});

/** A command that takes longer hangs: it is named, before the limit of its test ends that without a word. */
const COMMAND_ENDS_WITHIN_MS = 180_000;

/** The command that runs in this process: two at once would leave their variables to the next spec. */
let running: string | undefined;

/**
 * The same within this process, one at a time: for the effect of a command, if other tests check that the
 * program itself starts and ends. Each process takes two seconds of CPU to load the product.
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliRun> {
  if (running !== undefined) throw new Error(`Still running: ${running}`);
  running = args.join(' ');
  const own = process.env;
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk);
      return true;
    }),
  );
  process.env = { PATH: own['PATH'], HOME: own['HOME'], ...env };
  try {
    const code = await within(COMMAND_ENDS_WITHIN_MS, runCommandLine(args), () => undefined);
    if (code === undefined) throw new Error(`Hangs: ${running}; written so far: ${JSON.stringify(written)}`);
    return { code, ...written, json: (): unknown => JSON.parse(written.stdout) };
  } finally {
    running = undefined;
    process.env = own;
    for (const spy of spies) spy.mockRestore();
  }
}
