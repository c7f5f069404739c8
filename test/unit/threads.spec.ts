import { afterAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import { BudgetClock } from '#kernel/threads/budget-clock.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import type lintConfig from '#core/ci/lint/lint-config.task.js';

const TASKS = join(PACKAGE_ROOT, 'dist/app');
const INPUT = {
  text: 'include: a.yml\nb: { script: x }',
  withJobs: false,
  source: 'push',
  ref: 'main',
  tag: false,
  variables: [],
} as const;
const nobody = (): Promise<null> => Promise.resolve(null);

/** Returns the imports of a file of the bundle, and those of the imported files. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of readFileSync(join(TASKS, file), 'utf8').matchAll(
    /(?:from|import) ?"([^"\n]+)"/g,
  )) {
    if (seen.has(name)) continue;
    seen.add(name);
    if (name.startsWith('./')) importsOf(name.slice(2), seen);
  }
  return seen;
}

describe('threads', () => {
  const threads = new ThreadsService();
  afterAll(() => threads.onApplicationShutdown());

  it('run the callbacks of their tasks, and fail with their errors', async () => {
    const read = (): Promise<Uint8Array> => Promise.resolve(Buffer.from('a: { script: x }'));
    const help = { readFile: read, changedFiles: nobody, allFiles: nobody };
    const found = await threads.run<typeof lintConfig>('lint-config', INPUT, { help });
    expect(found?.errors).toEqual([]);
    expect(Buffer.from(found?.mergedYaml ?? []).toString()).toContain('a:');
    const readFile = (): Promise<null> => Promise.reject(new Error('no disk'));
    const failing = threads.run<typeof lintConfig>('lint-config', INPUT, { help: { ...help, readFile } });
    await expect(failing).rejects.toThrow('no disk');
    const again = await threads.run<typeof lintConfig>('lint-config', INPUT, { help });
    expect(again?.errors).toEqual([]);
  });

  it('do not end the process if they fail between two tasks', async () => {
    const idle = new ThreadsService();
    const help = { readFile: nobody, changedFiles: nobody, allFiles: nobody };
    const check = async (): Promise<readonly string[] | undefined> =>
      (await idle.run<typeof lintConfig>('lint-config', { ...INPUT, text: 'b: { script: x }' }, { help }))
        ?.errors;
    expect(await check()).toEqual([]);
    const { pool } = idle as unknown as { pool: { threads: readonly Worker[] } };
    for (const thread of pool.threads) thread.emit('error', new Error('out of memory'));
    expect(await check()).toEqual([]);
    await idle.onApplicationShutdown();
  });

  it('start quickly: their tasks load neither Nest nor TypeORM', () => {
    for (const file of [
      'compile-config.task.js',
      'lint-config.task.js',
      'read-junit.task.js',
      'render-markdown.task.js',
    ])
      expect([...importsOf(file)].filter((name) => /nest|typeorm|express|pg/.test(name))).toEqual([]);
  });

  it('do not count waiting as run time', async () => {
    let isOver = false;
    const clock = new BudgetClock(30, () => (isOver = true));
    clock.pause();
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(isOver).toBe(false);
    clock.resume();
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(isOver).toBe(true);
  });
});
