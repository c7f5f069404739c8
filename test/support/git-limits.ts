import type { PoolLimits } from '#kernel/processes/fair-pool.js';
import { GIT_KINDS, type GitKind } from '#core/repositories/git/processes/git-kinds.js';

const usual = structuredClone(GIT_KINDS);

/** Changes the limits of a git pool, which are read for each request. */
export const narrow = (kind: GitKind, limits: Partial<PoolLimits>): void =>
  void Object.assign(GIT_KINDS[kind], limits);

/** The previous limits. */
export function restoreLimits(): void {
  for (const kind of Object.keys(usual) as GitKind[]) Object.assign(GIT_KINDS[kind], usual[kind]);
}
