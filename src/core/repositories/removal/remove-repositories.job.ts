import { defineJob } from '#kernel/queue/job-definition.js';
import type { OwnerType } from '../repository-ref.js';

/**
 * Whose folders go; no path: where they lie follows from the owner alone. With the identities of its repositories, where they had any: ids come back
 * with a restored database, and what lies at their places may be all that is left of somebody else's work.
 */
export type RemovedOwner = {
  readonly ownerType: OwnerType;
  readonly ownerId: number;
  readonly identities?: readonly string[];
};

/** Takes the repositories of an owner that is gone off all disks. */
export const RemoveRepositoriesJob = defineJob<RemovedOwner>({
  name: 'repositories.remove',
  queue: 'repositories',
  attempts: 15,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
