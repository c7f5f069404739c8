// node scripts/compile-cache.mjs <command>, for the image: runs the command that starts the product once, on
// an empty folder, and stops it when it is ready. Node then leaves its compiled code in dist/compile-cache,
// where every start of a container finds it. The command must be that of the image, because V8 accepts no
// code compiled with other options.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PATIENCE_MS = 120_000;
const [program, ...args] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'forgeplane-compile-'));
const child = spawn(program, args, {
  env: {
    ...process.env,
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../dist/compile-cache', import.meta.url)),
    DATA_DIR: folder,
    HOST: '127.0.0.1',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
  timeout: PATIENCE_MS,
  killSignal: 'SIGKILL',
});
let isReady = false;
createInterface({ input: child.stdout }).on('line', (line) => {
  if (!/^Forgeplane .* is ready/.test(line)) return;
  isReady = true;
  child.kill('SIGTERM');
});
const code = await new Promise((resolve) => child.once('close', resolve));
rmSync(folder, { recursive: true, force: true });
if (!isReady || code !== 0) {
  console.error(`The product did not start and stop as it should (exit code ${code}).`);
  process.exitCode = 1;
}
