import { beginLargeAnswer, LARGE_BYTES, needsSlot } from '#kernel/http/answers/large-answers.js';
import { commandIn, kindOf } from './processes/git-kinds.js';
import { readGit, type ReadOptions } from './processes/read-git.js';
import { GitFailure } from './git-failure.js';

/** Options of a git call. */
export interface GitOptions extends ReadOptions {
  /** Kills the process if its output exceeds this; default 32 MiB. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Runs git and returns its standard output. `args` start with the command; put `--end-of-options` or `--`
 * before any user input. The process belongs to the current request or job and ends with it. @throws
 * GitFailure, PoolBusy
 */
export async function git(
  repositoryPath: string | null,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const { maxBytes = MAX_BYTES } = options;
  if (maxBytes > LARGE_BYTES && kindOf(args) !== 'write') {
    const small = needsSlot() ? await collect(repositoryPath, args, options, LARGE_BYTES) : null;
    if (small) return small;
    // Run again afterwards, instead of holding a git slot while waiting for another permit.
    await beginLargeAnswer();
  }
  const whole = await collect(repositoryPath, args, options, maxBytes);
  if (whole) return whole;
  throw new GitFailure(commandIn(args), 'too-large', null, '');
}

/** Collects the output of git; null if it exceeds `maxBytes`. */
async function collect(
  repositoryPath: string | null,
  args: readonly string[],
  options: ReadOptions,
  maxBytes: number,
): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  const isWhole = await readGit(repositoryPath, args, options, (piece) => {
    size += piece.length;
    if (size <= maxBytes) pieces.push(piece);
    return size <= maxBytes;
  });
  return isWhole ? Buffer.concat(pieces) : null;
}

/** Runs git and returns its output as text, without the last line end. */
export async function gitText(
  repositoryPath: string | null,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await git(repositoryPath, args, options)).toString('utf8').replace(/\n$/, '');
}

/** Runs git and returns whether the exit code is 0. @throws GitFailure if it is above 1 */
export async function gitTells(
  repositoryPath: string | null,
  args: readonly string[],
  options: GitOptions = {},
): Promise<boolean> {
  try {
    await git(repositoryPath, args, options);
    return true;
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit' && error.exitCode === 1) return false;
    throw error;
  }
}
