import { Role } from '#kernel/access/roles.js';

/** Who may read the merge requests of a project: Reporters, and everybody who sees it where they are shown to everybody. */
export const MERGE_REQUEST_READ = {
  project: Role.Reporter,
  publicRead: true,
  anyone: true,
  feature: 'merge_requests',
} as const;

/** Whoever may read them may ask to change one: the service knows who may do what. */
export const MERGE_REQUEST_TALK = {
  project: Role.Reporter,
  publicRead: true,
  feature: 'merge_requests',
} as const;
