// Child processes of the scripts: run, forward signals, never leave one behind.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const children = new Set();
let interrupted;

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.on(signal, () => {
    if (interrupted) return;
    interrupted = code;
    for (const child of children) child.kill(signal);
    if (children.size === 0) process.exit(code);
  });
}

/** Runs a Node program; resolves with whether it succeeded and, if captured, its output. */
export async function run(args, { capture = false, env = {} } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
  const code = await new Promise((resolve) => child.once('close', resolve));
  children.delete(child);
  if (interrupted && children.size === 0) process.exit(interrupted);
  return { ok: code === 0, output };
}
