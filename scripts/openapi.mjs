// npm run openapi: starts the product on a temporary DATA_DIR and writes what GET /api/v4/openapi.json answers to
// openapi.json. With `--check` it writes nothing and fails when the file is not current.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.mjs';

const target = fileURLToPath(new URL('../openapi.json', import.meta.url));
const main = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));

await buildIfStale(console.error);
const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-openapi-'));
const port = await freePort();
const child = spawn(process.execPath, [main], {
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    // The document names the server: always the default address, whoever writes it.
    EXTERNAL_URL: 'http://localhost:3000',
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = new Promise((resolve) => child.once('close', resolve));
try {
  const text = `${JSON.stringify(await document(), null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text)
    throw new Error('openapi.json is not current: npm run openapi');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  child.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
}

async function document() {
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt += 1) {
    const answer = await globalThis
      .fetch(`http://127.0.0.1:${port}/api/v4/openapi.json`)
      .catch(() => undefined);
    if (answer?.ok) return answer.json();
    if (answer) throw new Error(`GET /api/v4/openapi.json answered ${answer.status}`);
    await sleep(100);
  }
  throw new Error('The product did not start.');
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
