import { Role } from '#kernel/access/roles.js';

/**
 * Read access to the merge requests of a project: Reporters, and everyone if the project and its merge
 * requests are public.
 */
export const MERGE_REQUEST_READ = {
  project: Role.Reporter,
  publicRead: true,
  anyone: true,
  feature: 'merge_requests',
} as const;

/** Access for requesting changes of merge requests; the services check the rights. */
export const MERGE_REQUEST_TALK = {
  project: Role.Reporter,
  publicRead: true,
  feature: 'merge_requests',
} as const;
