import { inSpan } from '#kernel/log/request-context.js';
import type { CommandListener, RunningCommand } from '#kernel/processes/command.js';
import { GitFailure } from '../git-failure.js';
import { meaningOf, speaksOfDamage } from '../damage/damage.js';
import { commandIn, kindOf, mustFinish, type GitKind } from './git-kinds.js';
import { gitStarter } from './git-starter.js';
import { gitOwner } from './git-owner.js';
import { takeSlot } from './git-slots.js';
import { gitCommand, type GitVariables } from './spawn-git.js';

/** Options of a git call. */
export interface ReadOptions {
  readonly input?: string | Buffer;
  /** Kills the process after this time; default 30 s. */
  readonly timeoutMs?: number;
  readonly env?: GitVariables;
  /** Default: the signal of the current request or job. */
  readonly signal?: AbortSignal;
  /** Exit codes that count as success; default only 0. */
  readonly okCodes?: readonly number[];
  /** Whether output with omissions due to unreadable objects is a failure. Default: in requests. */
  readonly noticesDamage?: boolean;
  /** Called with the standard error of git. */
  readonly onErrors?: (text: string) => void;
  /** Default: by the command in requests, else `background`. */
  readonly kind?: GitKind;
}

const TIMEOUT_MS = 30_000;
const MAX_STDERR = 16 * 1024;

/** Messages of git when it cannot allocate memory. */
const NO_MEMORY = /out of memory|malloc failed|mmap failed|cannot allocate memory/i;

/**
 * Runs git and passes its output to `take` in chunks, until that returns false; git is then killed. The
 * process belongs to the current request or job, waits for its slot, and ends with it. @returns whether the
 * output is complete. @throws GitFailure, PoolBusy; 503 in a request if git reports damage, with any exit
 * code
 */
export async function readGit(
  repositoryPath: string | null,
  args: readonly string[],
  options: ReadOptions,
  take: (piece: Buffer) => boolean,
): Promise<boolean> {
  const owner = gitOwner();
  const { kind = owner.isRequest ? kindOf(args) : 'background', signal = owner.signal } = options;
  const { release } = await takeSlot(kind, repositoryPath, signal);
  try {
    const asked = { noticesDamage: owner.isRequest, ...options, kind, signal };
    return await inSpan(`git ${commandIn(args)}`, 'internal', {}, () =>
      run(repositoryPath, args, asked, take),
    );
  } catch (error) {
    throw error instanceof GitFailure ? await meaningOf(repositoryPath, error) : error;
  } finally {
    release();
  }
}

interface Run extends Omit<ReadOptions, 'signal' | 'kind'> {
  readonly kind: GitKind;
  readonly signal: AbortSignal | undefined;
}

function run(
  repositoryPath: string | null,
  args: readonly string[],
  options: Run,
  take: (piece: Buffer) => boolean,
): Promise<boolean> {
  const { timeoutMs = TIMEOUT_MS, okCodes = [0] } = options;
  // An explicit signal always aborts; that of the request or job only what may be killed.
  const signal = mustFinish(args) ? undefined : options.signal;
  const name = commandIn(args);
  const isSpoilt = (said: string): boolean => options.noticesDamage === true && speaksOfDamage(name, said);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let stderr = '';
    let end: 'enough' | 'timeout' | null = null;
    const stop = (why: 'enough' | 'timeout'): void => {
      end ??= why;
      running.kill();
    };
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    const onAbort = (): void => stop('timeout');
    signal?.addEventListener('abort', onAbort, { once: true });
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const running = start(repositoryPath, args, options, {
      output: (piece) => {
        if (end === null && !take(piece)) stop('enough');
      },
      errors: (text) => {
        options.onErrors?.(text);
        if (stderr.length < MAX_STDERR) stderr += text;
      },
      failed: (error) => {
        finish();
        reject(new GitFailure(name, 'spawn', null, error.message));
      },
      closed: (code) => {
        finish();
        if (end === 'enough') resolve(false);
        else if (signal?.aborted) reject(signal.reason as Error);
        else {
          const reason = reasonOf(end, code, stderr);
          if (reason === 'exit' && okCodes.includes(code ?? 0) && !isSpoilt(stderr)) resolve(true);
          else reject(new GitFailure(name, reason, code, stderr));
        }
      },
    });
  });
}

/** An unexpected signal comes from the operating system: a resource limit was exceeded. */
const reasonOf = (end: 'timeout' | null, code: number | null, stderr: string): GitFailure['reason'] => {
  if (end === 'timeout' || code === null) return 'timeout';
  return code !== 0 && NO_MEMORY.test(stderr) ? 'too-large' : 'exit';
};

function start(
  repositoryPath: string | null,
  args: readonly string[],
  { kind, env, input = '' }: Run,
  listener: CommandListener,
): Pick<RunningCommand, 'kill'> {
  const command = { ...gitCommand(kind, repositoryPath, args, env), input };
  return kind === 'long' ? gitStarter.startHere(command, listener) : gitStarter.start(command, listener);
}
