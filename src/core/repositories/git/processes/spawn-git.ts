import { spawn, type ChildProcess } from 'node:child_process';
import type { Command } from '#kernel/processes/command.js';
import { beginSpan } from '#kernel/log/request-context.js';
import { giveWay, killGroup } from '#kernel/processes/process-group.js';
import { held } from '#kernel/streams/held.js';
import { limited } from '#kernel/processes/process-limits.js';
import { GIT_ENVIRONMENT } from '../git-environment.js';
import { commandIn, GIT_KINDS, mustFinish, type GitKind } from './git-kinds.js';
import { gitOwner } from './git-owner.js';
import { takeSlot } from './git-slots.js';
import { gitStarter } from './git-starter.js';

/** Additions to git's environment. */
export type GitVariables = Readonly<Record<string, string>>;

/** Options for starting git. */
export interface SpawnOptions {
  readonly env?: GitVariables;
  readonly stdio?: ('pipe' | 'ignore')[];
  /** Whether the call is short: it runs without a higher nice value. */
  readonly isShort?: boolean;
}

/** An acquired slot in which git may be started. */
export interface GitSlot {
  readonly kind: GitKind;
  readonly repositoryPath: string | null;
  readonly children: Set<ChildProcess>;
  /** Whether a caller is waiting who could have this slot. */
  readonly isWaitedFor: () => boolean;
}

/**
 * Builds the command line of git: with a clean environment, resource limits and its own process group.
 * `isJoined`: standard error is part of the output.
 */
export function gitCommand(
  kind: GitKind,
  repositoryPath: string | null,
  args: readonly string[],
  env: GitVariables = {},
  isJoined = false,
): Omit<Command, 'input'> & { readonly niceness: number } {
  return {
    ...limited({ program: 'git', args }, GIT_KINDS[kind], isJoined),
    env: {
      ...GIT_ENVIRONMENT,
      ...(repositoryPath === null ? {} : { GIT_DIR: repositoryPath }),
      ...env,
    },
    ownGroup: true,
    niceness: GIT_KINDS[kind].niceness,
    mustFinish: mustFinish(args),
  };
}

/**
 * Runs `work` with a git slot of a repository, for the current request or job; its processes have ended
 * before the slot is released. @throws PoolBusy
 */
export async function inGitSlot<T>(
  kind: GitKind,
  repositoryPath: string | null,
  work: (slot: GitSlot) => Promise<T>,
  signal: AbortSignal | undefined = gitOwner().signal,
): Promise<T> {
  const { release, isWaitedFor } = await takeSlot(kind, repositoryPath, signal);
  const children = new Set<ChildProcess>();
  try {
    return await work({ kind, repositoryPath, children, isWaitedFor });
  } finally {
    for (const child of children) end(child);
    if (children.size === 0) release();
    // Release the slot only when the processes have exited.
    for (const child of children)
      child.once('close', () => {
        if (children.size === 0) release();
      });
  }
}

/**
 * Starts git in an acquired slot; no shell interprets the arguments. Kill it (`killGroup`) when its output is
 * no longer needed.
 */
export function spawnGit(
  { kind, repositoryPath, children }: GitSlot,
  args: readonly string[],
  { env, stdio = ['pipe', 'pipe', 'pipe'], isShort = false }: SpawnOptions = {},
): ChildProcess {
  const command = gitCommand(kind, repositoryPath, args, env);
  const child = held(
    spawn(command.program, command.args, {
      cwd: '/',
      env: command.env,
      stdio,
      shell: false,
      detached: true,
    }),
  );
  children.add(child);
  if (!command.mustFinish) gitStarter.watch(child);
  const span = beginSpan(`git ${commandIn(args)}`, 'internal', {});
  child.once('close', (code) => {
    children.delete(child);
    span?.end({ attributes: { 'process.exit.code': code ?? undefined } });
  });
  child.once('error', () => {
    if (child.pid === undefined) children.delete(child);
  });
  if (!isShort) giveWay(child, command.niceness);
  return child;
}

function end(child: ChildProcess): void {
  killGroup(child, 'SIGKILL');
  // Streams that are not read to the end would never close.
  for (const stream of (child.stdio as ChildProcess['stdio'] | undefined) ?? []) stream?.destroy();
}
