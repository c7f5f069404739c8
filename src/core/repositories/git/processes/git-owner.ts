import { ownerGone, requestContext } from '#kernel/log/request-context.js';
import type { Claim } from '#kernel/processes/fair-pool.js';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import type { GitKind } from './git-kinds.js';

/** For whom git works. */
export interface GitOwner {
  /** Whether a client waits for it; jobs and commands have time. */
  readonly isRequest: boolean;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal | undefined;
}

/** The request or job that is being served. */
export const gitOwner = (): GitOwner => ({
  isRequest: requestContext.getStore()?.response !== undefined,
  signal: ownerGone(),
});

const ANONYMOUS = 'anonymous';

/** What a place is taken for: fair by repository, and by user or address; all who have not said who they are have one share together. */
export function gitClaim(kind: GitKind, repositoryPath: string | null): Claim {
  const repository = repositoryPath === null ? [] : [`repository:${repositoryPath}`];
  const context = requestContext.getStore();
  if (!context?.response || kind === 'background' || kind === 'long') return { holders: repository };
  if (context.userId !== undefined) return { holders: [...repository, `user:${context.userId}`] };
  return { holders: [...repository, clientKey()], group: ANONYMOUS };
}
