import { registerPlaces } from '#kernel/log/metrics.js';
import { FairPool } from '#kernel/processes/fair-pool.js';
import { GIT_KINDS, type GitKind } from './git-kinds.js';
import { gitClaim, gitOwner } from './git-owner.js';

const KINDS = Object.keys(GIT_KINDS) as GitKind[];

const pools = Object.fromEntries(KINDS.map((kind) => [kind, new FairPool(GIT_KINDS[kind])])) as Record<
  GitKind,
  FairPool
>;
for (const kind of KINDS) registerPlaces('git', kind, pools[kind]);

/**
 * Takes a place for one process of git in a repository (null for none), in the name of the running request or job; call what it returns once
 * that has ended. @throws PoolBusy; the reason of `signal` when nobody waits for it any more
 */
export const takePlace = (
  kind: GitKind,
  repositoryPath: string | null,
  signal: AbortSignal | undefined = gitOwner().signal,
): Promise<() => void> => pools[kind].take(gitClaim(kind, repositoryPath), signal);

/** Whether others wait for a place of the kind. */
export const isWaitedFor = (kind: GitKind): boolean => pools[kind].waiting > 0;
