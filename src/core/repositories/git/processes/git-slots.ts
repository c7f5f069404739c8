import { registerSlots } from '#kernel/log/gauges.js';
import { slotsOf } from '#kernel/cluster/primary-pool.js';
import type { Slots } from '#kernel/processes/fair-pool.js';
import { GIT_KINDS, type GitKind } from './git-kinds.js';
import { gitClaim, gitOwner } from './git-owner.js';

const KINDS = Object.keys(GIT_KINDS) as GitKind[];

/** One pool per kind, shared by all processes of this machine. */
const pools = Object.fromEntries(
  KINDS.map((kind) => [kind, slotsOf(`git ${kind}`, GIT_KINDS[kind])]),
) as Record<GitKind, Slots>;
for (const kind of KINDS) registerSlots('git', kind, pools[kind]);

/** An acquired slot. */
export interface TakenSlot {
  /** Call it when the process has ended. */
  readonly release: () => void;
  /** Whether a caller is waiting who could have this slot. */
  readonly isWaitedFor: () => boolean;
}

/**
 * Acquires a slot for a git process in a repository (or null), for the current request or job. @throws
 * PoolBusy; the reason of `signal` if it is aborted
 */
export async function takeSlot(
  kind: GitKind,
  repositoryPath: string | null,
  signal: AbortSignal | undefined = gitOwner().signal,
): Promise<TakenSlot> {
  const pool = pools[kind];
  const claim = gitClaim(kind, repositoryPath);
  return { release: await pool.take(claim, signal), isWaitedFor: () => pool.isWaitedFor(claim) };
}
