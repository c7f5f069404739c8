import { defineJob } from '#kernel/queue/job-definition.js';
import type { OwnerType } from '../repository-ref.js';

/**
 * An owner whose folders are removed; without paths, since they follow from the owner. Includes the
 * identities of its repositories, if recorded: after a restore, ids may be reused, and the folder may be the
 * only copy of another owner's work.
 */
export type RemovedOwner = {
  readonly ownerType: OwnerType;
  readonly ownerId: number;
  readonly identities?: readonly string[];
};

/** Removes the repositories of a deleted owner from all disks. */
export const RemoveRepositoriesJob = defineJob<RemovedOwner>({
  name: 'repositories.remove',
  queue: 'repositories',
  attempts: 15,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
