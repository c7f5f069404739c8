import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const FUNCTIONS = `
  import { closeSync, openSync } from 'node:fs';
  const taken = [];
  const takeAll = () => { try { for (;;) taken.push(openSync('/dev/null', 'r')); } catch {} };
  const giveBack = () => { for (const one of taken.splice(0)) closeSync(one); };
  const load = (file) => import(${JSON.stringify(resolve('dist/src'))} + '/' + file + '.js');`;

/**
 * Runs a program in a process that may have 120 descriptors. It can call `takeAll` and `giveBack`, and `load` a file
 * of src. Returns what it writes. @throws if it does not exit with 0
 */
export async function runWithFewDescriptors(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', [
    '-c',
    'ulimit -n 120; exec "$0" "$@"',
    process.execPath,
    '--input-type=module',
    '--eval',
    `${FUNCTIONS}\n${program}`,
    ...args,
  ]);
  return stdout;
}
