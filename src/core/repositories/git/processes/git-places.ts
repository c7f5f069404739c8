import { registerPlaces } from '#kernel/log/metrics.js';
import { placesOf } from '#kernel/cluster/primary-pool.js';
import type { Places } from '#kernel/processes/fair-pool.js';
import { GIT_KINDS, type GitKind } from './git-kinds.js';
import { gitClaim, gitOwner } from './git-owner.js';

const KINDS = Object.keys(GIT_KINDS) as GitKind[];

/** One pool per kind, shared by all processes of this machine. */
const pools = Object.fromEntries(
  KINDS.map((kind) => [kind, placesOf(`git ${kind}`, GIT_KINDS[kind])]),
) as Record<GitKind, Places>;
for (const kind of KINDS) registerPlaces('git', kind, pools[kind]);

/**
 * Acquires a slot for a git process in a repository (or null), for the current request or job; call the
 * returned function when the process has ended. @throws PoolBusy; the reason of `signal` if it is aborted
 */
export const takePlace = (
  kind: GitKind,
  repositoryPath: string | null,
  signal: AbortSignal | undefined = gitOwner().signal,
): Promise<() => void> => pools[kind].take(gitClaim(kind, repositoryPath), signal);

/** Returns whether callers are waiting for a slot of the kind. */
export const isWaitedFor = (kind: GitKind): boolean => pools[kind].isWaitedFor;
