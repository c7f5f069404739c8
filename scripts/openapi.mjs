// npm run openapi: writes the API document of the command line to openapi.json. With `--check` it writes
// nothing and fails if the file is outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.mjs';

const target = fileURLToPath(new URL('../openapi.json', import.meta.url));
const cli = fileURLToPath(new URL('../dist/app/cli.js', import.meta.url));

await buildIfStale(console.error);
const { status, stdout } = spawnSync(process.execPath, [cli, 'openapi'], {
  // The document names the server: always the default address, wherever it is generated.
  env: { PATH: process.env.PATH, EXTERNAL_URL: 'http://localhost:3000' },
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) process.exit(1);
if (!process.argv.includes('--check')) writeFileSync(target, stdout);
else if (!isCurrent()) {
  console.error('openapi.json is outdated: run npm run openapi');
  process.exitCode = 1;
}

function isCurrent() {
  try {
    return readFileSync(target, 'utf8') === stdout;
  } catch {
    return false;
  }
}
