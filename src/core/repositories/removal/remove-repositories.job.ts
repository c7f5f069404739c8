import { defineJob } from '#kernel/queue/job-definition.js';
import type { OwnerType } from '../repository-ref.js';

/** Whose folders go; no path: what is removed follows from the owner alone. */
export type RemovedOwner = { readonly ownerType: OwnerType; readonly ownerId: number };

/** Takes the repositories of an owner that is gone off all disks. */
export const RemoveRepositories = defineJob<RemovedOwner>({
  name: 'repositories.remove',
  queue: 'repositories',
  attempts: 15,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
