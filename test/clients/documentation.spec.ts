import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ROOT_TOKEN, type TestApi } from '../support/api.js';
import { freePort } from '../support/processes.js';
import { TestRunner } from '../support/runner/runner.js';
import { borrowApi } from '../support/shared-api.js';

const GUIDES = readdirSync('docs/guides').map((name) => `docs/guides/${name}`);
const PAGES = [...GUIDES, 'docs/README.md', 'docs/tutorial.md', 'README.md'];

/** Commands of a page, in order; for one that starts a runner, the token is stored so that the test starts it. */
function commandsOf(page: string): string {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```sh( runner)?\n([\s\S]*?)^```$/gm);
  return [...blocks]
    .map(([, runner, commands = '']) => (runner ? 'echo "$RUNNER" > "$RUNNER_FILE"\n' : commands))
    .filter((commands) => !/\bnpm (ci|start|test)\b/.test(commands))
    .join('\n');
}

describe('the documentation', () => {
  let api: TestApi | undefined;
  let port: number;
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-documentation-'));
  const runnerFile = join(folder, 'runner-token');
  // Readers see the error; here it ends the page.
  const curl = `#!/bin/sh\nexec env PATH="$OWN_PATH" curl --fail-with-body --show-error "$@"\n`;
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/curl'), curl, { mode: 0o755 });
  beforeAll(async () => {
    port = await freePort();
  });
  afterEach(async () => {
    await api?.close();
    api = undefined;
    rmSync(runnerFile, { force: true });
  });

  /** Runs commands as a reader would, against a service of their own. */
  async function run(commands: string): Promise<{ code: number; output: string }> {
    const url = `http://127.0.0.1:${port}`;
    api = await borrowApi({ PORT: String(port), EXTERNAL_URL: url });
    const script = `set -euo pipefail\n${commands}`
      .replaceAll('http://localhost:3000', url)
      .replaceAll('localhost:3000', `127.0.0.1:${port}`)
      .replaceAll('glpat-choose-your-own-token', ROOT_TOKEN);
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      OWN_PATH: process.env['PATH'],
      HOME: folder,
      RUNNER_FILE: runnerFile,
    };
    const cwd = mkdtempSync(join(folder, 'page-'));
    let isOver = false;
    const ended = new Promise<{ code: number; output: string }>((done) => {
      execFile('bash', ['-c', script], { cwd, env, timeout: 100_000 }, (error, stdout, stderr) => {
        isOver = true;
        done({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` });
      });
    });
    const runner = runJobs(url, () => isOver);
    const result = await ended;
    await runner;
    return result;
  }

  async function runJobs(url: string, isOver: () => boolean): Promise<void> {
    while (!isOver() && !existsSync(runnerFile)) await new Promise((done) => setTimeout(done, 50));
    if (isOver()) return;
    const runner = TestRunner.withToken(url, readFileSync(runnerFile, 'utf8').trim(), { cloneUrl: url });
    await runner.runUntil(isOver, 100_000);
  }

  it.each(PAGES)('%s has commands that work', async (page) => {
    const isGuide = page.startsWith('docs/guides/');
    const { code, output } = await run((isGuide ? commandsOf('docs/README.md') : '') + commandsOf(page));
    expect([code, code === 0 ? '' : output.slice(-3000)]).toEqual([0, '']);
  });

  it('links only to existing targets', () => {
    const pages = readdirSync('docs', { recursive: true })
      .map((name) => join('docs', String(name)))
      .filter((path) => path.endsWith('.md'));
    const broken = [...pages, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md'].flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !leads(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

/** Whether a link leads to a file, and its fragment to a heading of it. */
function leads(page: string, link: string): boolean {
  const [path = '', fragment] = link.split('#');
  const target = path === '' ? page : resolve(dirname(page), path);
  if (!existsSync(target)) return false;
  if (fragment === undefined) return true;
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  return headings.includes(fragment);
}
