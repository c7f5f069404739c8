import type { PoolLimits } from '#kernel/processes/fair-pool.js';
import { GIT_KINDS, type GitKind } from '#core/repositories/git/processes/git-kinds.js';

const usual = structuredClone(GIT_KINDS);

/** Changes the bounds of a pool of git, which are read whenever a place is asked for. */
export const narrow = (kind: GitKind, limits: Partial<PoolLimits>): void =>
  void Object.assign(GIT_KINDS[kind], limits);

/** As they were. */
export function restorePlaces(): void {
  for (const kind of Object.keys(usual) as GitKind[]) Object.assign(GIT_KINDS[kind], usual[kind]);
}
