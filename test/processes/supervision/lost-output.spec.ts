import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { freePort } from '../../support/processes.js';
import { until } from '../../support/until.js';

let database: TestDatabase;
let child: ChildProcess;
let url: string;
const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-lost-output-'));

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  child.kill('SIGKILL');
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(stdout: 'pipe' | number): Promise<void> {
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  child = spawn(process.execPath, ['dist/app/main.js'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      PORT: port,
    },
    stdio: ['ignore', stdout, 'pipe'],
  });
  child.stdout?.resume();
  child.stderr?.resume();
  await until(async () => (await fetch(`${url}/-/health`)).status === 200);
}

/** The process stops by itself, long before it would be forced to. */
async function expectStop(): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 60_000, 'hangs').unref())]),
  ).toEqual([0, null]);
}

it('a process stops if its output can no longer be written', async () => {
  await start('pipe');
  child.stdout?.destroy();
  child.stderr?.destroy();
  for (let count = 0; count < 5; count += 1) expect((await fetch(`${url}/api/v4/projects`)).status).toBe(200);
  await expectStop();
});

it('a process continues and stops normally if its output is not read', async () => {
  await start('pipe');
  child.stdout?.pause();
  // Some 600 KB of lines: more than the system buffers.
  for (let count = 0; count < 60; count += 1)
    await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${url}/api/v4/projects?search=${'x'.repeat(300)}`)),
    );
  expect((await fetch(`${url}/api/v4/projects`)).status).toBe(200);
  await expectStop();
});

it('a process continues and stops normally if the disk of its output is full', async () => {
  const full = openSync('/dev/full', 'w');
  await start(full);
  closeSync(full);
  for (let count = 0; count < 10; count += 1) {
    expect((await fetch(`${url}/api/v4/projects`)).status).toBe(200);
    // Lines are written in batches, each of which fails.
    await sleep(250);
  }
  expect(child.exitCode).toBeNull();
  await expectStop();
});
