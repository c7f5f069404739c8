import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** How one command line ended. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  json(): unknown;
}

/** Runs `node dist/src/cli.js` with these arguments and no other variables than the given ones. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliRun> {
  const file = resolve('dist/src/cli.js');
  if (!existsSync(file))
    throw new Error('dist/src/cli.js is missing: run `npm run build` before these tests');
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
