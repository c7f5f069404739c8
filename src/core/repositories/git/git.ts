import { spawn, type ChildProcess } from 'node:child_process';
import { Gate } from '#kernel/crypto/gate.js';
import { clientGone } from '#kernel/log/request-context.js';
import type { CommandListener, RunningCommand } from '#kernel/processes/command.js';
import { CommandStarter } from '#kernel/processes/command-starter.js';
import { startCommand } from '#kernel/processes/start-command.js';
import { held } from '#kernel/streams/held.js';
import { GIT_ENVIRONMENT } from './git-environment.js';
import { GitFailure } from './git-failure.js';

/** How one call of git is made. */
export interface GitOptions {
  readonly input?: string | Buffer;
  /** More output than this kills the process; default 32 MiB. */
  readonly maxBytes?: number;
  /** A longer run is killed; default 30 s. */
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the client of a reading request has gone away. */
  readonly signal?: AbortSignal;
  /** Exit codes that are answers; default 0 alone. */
  readonly okCodes?: readonly number[];
  /** A run of minutes or hours: it takes no place of those short ones. Whoever starts such runs limits their number. */
  readonly isLong?: boolean;
  /** Whether what it has started itself is killed with it: helpers that wait for a network would go on. */
  readonly endsChildren?: boolean;
}

/** How git is started. */
export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdio?: ('pipe' | 'ignore')[];
  /** Whether it leads a group of processes: a signal to the group (`-pid`) reaches its children too. */
  readonly ownGroup?: boolean;
}

const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_STDERR = 16 * 1024;

/** Short calls at a time in this process: each costs a process and some memory, more of them would only wait for the cores. */
const gate = new Gate(8, 500);

/** Short calls are many: this process does not stand still for each of them. */
const starter = new CommandStarter();

/**
 * Starts git in a clean environment, in a repository (a bare one's folder; null for none), never through a shell. Stop it when
 * nobody wants its answer any more: it has no limits of its own.
 */
export function spawnGit(
  repositoryPath: string | null,
  args: readonly string[],
  { env, stdio = ['pipe', 'pipe', 'pipe'], ownGroup = false }: SpawnOptions = {},
): ChildProcess {
  const child = spawn('git', args, {
    cwd: '/',
    env: environmentOf(repositoryPath, env),
    stdio,
    shell: false,
    detached: ownGroup,
  });
  return held(child);
}

/** Starts a call that is over soon, and tells `listener` what it writes; stop it when nobody wants that any more: it has no limits of its own. */
export const startGit = (
  repositoryPath: string | null,
  args: readonly string[],
  { env, input = '', endsChildren: ownGroup = false, isLong = false }: GitOptions,
  listener: CommandListener,
): Pick<RunningCommand, 'kill'> => {
  const command = { program: 'git', args, env: environmentOf(repositoryPath, env), ownGroup, input };
  return isLong ? startCommand(command, listener) : starter.start(command, listener);
};

/**
 * Runs git and gives what it wrote to standard output. `args` begin with the command; put `--end-of-options` or `--` before
 * whatever comes from outside. @throws GitFailure, GateFull
 */
export function git(
  repositoryPath: string | null,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const run = (): Promise<Buffer> => runGit(repositoryPath, args, options);
  return options.isLong ? run() : gate.run(run);
}

/** The same as text without the last line end. */
export async function gitText(
  repositoryPath: string | null,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await git(repositoryPath, args, options)).toString('utf8').replace(/\n$/, '');
}

/** Only the exit code counts. @throws GitFailure for one above 1 */
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

function runGit(
  repositoryPath: string | null,
  args: readonly string[],
  options: GitOptions,
): Promise<Buffer> {
  const { maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS, okCodes = [0], signal = clientGone() } = options;
  const name = args.find((word) => !word.startsWith('-')) ?? '';
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let reason: GitFailure['reason'] = 'exit';
    const stop = (why: GitFailure['reason']): void => {
      reason = why;
      running.kill();
    };
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    const onAbort = (): void => stop('timeout');
    signal?.addEventListener('abort', onAbort, { once: true });
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const running = startGit(repositoryPath, args, options, {
      output: (chunk) => {
        size += chunk.length;
        if (size > maxBytes) stop('too-large');
        else chunks.push(chunk);
      },
      errors: (text) => {
        if (stderr.length < MAX_STDERR) stderr += text;
      },
      failed: (error) => {
        finish();
        reject(new GitFailure(name, 'spawn', null, error.message));
      },
      closed: (code) => {
        finish();
        if (signal?.aborted) reject(signal.reason as Error);
        else if (reason === 'exit' && code !== null && okCodes.includes(code)) resolve(Buffer.concat(chunks));
        else reject(new GitFailure(name, reason, code, stderr));
      },
    });
  });
}

/** The whole environment of a call in a repository, or in none. */
const environmentOf = (
  repositoryPath: string | null,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  ...GIT_ENVIRONMENT,
  ...(repositoryPath === null ? {} : { GIT_DIR: repositoryPath }),
  ...env,
});
