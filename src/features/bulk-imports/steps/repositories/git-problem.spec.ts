import { describe, expect, it } from '@jest/globals';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { ImportLimits } from '../../engine/import-limits.js';
import { asRetryable } from '../../engine/runs/as-retryable.js';
import { SourceBusy, SourceRefused } from '../../source/source-errors.js';
import { gitProblem } from './git-problem.js';

const askPause = (): Promise<number> => Promise.resolve(1);

const problemOf = (exitCode: number | null, stderr: string): Promise<Error | null> =>
  gitProblem(new GitFailure('fetch', 'exit', exitCode, stderr), askPause);

describe('a fetch that fails on this side', () => {
  it.each([
    [128, 'fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output'],
    [128, 'error: unable to write file: Disk quota exceeded\nfatal: unpack-objects failed'],
  ])('is repeated after a full disk (%i, %j)', async (exitCode, stderr) => {
    const problem = await problemOf(exitCode, stderr);
    const retried = asRetryable(problem, new ImportLimits());
    expect(retried).toBeInstanceOf(SourceBusy);
    expect(retried).toMatchObject({ kind: 'full disk' });
  });

  it.each([
    [null, ''],
    [128, 'error: index-pack died of signal 9\nfatal: fetch-pack: invalid index-pack output'],
  ])('is repeated if its process was killed (%p, %j)', async (exitCode, stderr) => {
    expect(await problemOf(exitCode, stderr)).toBeInstanceOf(SourceBusy);
  });

  it('is not repeated if the source sends broken objects', async () => {
    expect(await problemOf(128, 'fatal: fsck error in packed object')).toBeInstanceOf(SourceRefused);
  });
});
