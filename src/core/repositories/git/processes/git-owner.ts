import { ownerGone, requestContext } from '#kernel/log/request-context.js';
import type { Claim } from '#kernel/processes/fair-pool.js';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import type { GitKind } from './git-kinds.js';

/** The caller of a git process. */
export interface GitOwner {
  /** Whether a client is waiting; jobs and commands are not urgent. */
  readonly isRequest: boolean;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal | undefined;
}

/** Returns the current request or job. */
export const gitOwner = (): GitOwner => ({
  isRequest: requestContext.getStore()?.response !== undefined,
  signal: ownerGone(),
});

const ANONYMOUS = 'anonymous';

/**
 * Returns the claim for a slot: fair by repository, and by user or address; anonymous callers share one part.
 */
export function gitClaim(kind: GitKind, repositoryPath: string | null): Claim {
  const repository = repositoryPath === null ? [] : [`repository:${repositoryPath}`];
  const context = requestContext.getStore();
  if (!context?.response || kind === 'background' || kind === 'long') return { holders: repository };
  if (context.userId !== undefined) return { holders: [...repository, `user:${context.userId}`] };
  return { holders: [...repository, clientKey()], group: ANONYMOUS };
}
