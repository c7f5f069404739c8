import { spawn, type ChildProcess } from 'node:child_process';
import type { Command } from '#kernel/processes/command.js';
import { giveWay, killGroup } from '#kernel/processes/process-group.js';
import { held } from '#kernel/streams/held.js';
import { limited } from '#kernel/processes/process-limits.js';
import { GIT_ENVIRONMENT } from '../git-environment.js';
import { GIT_KINDS, type GitKind } from './git-kinds.js';
import { gitOwner } from './git-owner.js';
import { takePlace } from './git-places.js';

/** Adds to the environment of git. */
export type GitVariables = Readonly<Record<string, string>>;

/** How git is started. */
export interface SpawnOptions {
  readonly env?: GitVariables;
  readonly stdio?: ('pipe' | 'ignore')[];
  /** Whether it is over at once: it gives way to nobody. */
  readonly isShort?: boolean;
}

/** A place that is held: git may be started in it. */
export interface GitPlace {
  readonly kind: GitKind;
  readonly repositoryPath: string | null;
  readonly children: Set<ChildProcess>;
}

/** The call of git as the system runs it: in a clean environment, with limits, leading a group of its own. `isJoined`: what it complains of comes in its output. */
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
  };
}

/**
 * Works while it holds a place for git in a repository, in the name of the running request or job; what it has started there has ended before
 * the place is given back. @throws PoolBusy
 */
export async function inGitPlace<T>(
  kind: GitKind,
  repositoryPath: string | null,
  work: (place: GitPlace) => Promise<T>,
  signal: AbortSignal | undefined = gitOwner().signal,
): Promise<T> {
  const release = await takePlace(kind, repositoryPath, signal);
  const children = new Set<ChildProcess>();
  try {
    return await work({ kind, repositoryPath, children });
  } finally {
    for (const child of children) end(child);
    if (children.size === 0) release();
    // A place is free when its process is gone, not before.
    for (const child of children)
      child.once('close', () => {
        if (children.size === 0) release();
      });
  }
}

/**
 * Starts git in a place that is held, never through a shell that reads anything of the call. Stop it (`killGroup`) when nobody wants its answer
 * any more.
 */
export function spawnGit(
  { kind, repositoryPath, children }: GitPlace,
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
  child.once('close', () => children.delete(child));
  child.once('error', () => {
    if (child.pid === undefined) children.delete(child);
  });
  if (!isShort) giveWay(child, command.niceness);
  return child;
}

function end(child: ChildProcess): void {
  killGroup(child, 'SIGKILL');
  // Of what nobody reads to its end it would never be said that it is over.
  for (const stream of (child.stdio as ChildProcess['stdio'] | undefined) ?? []) stream?.destroy();
}
