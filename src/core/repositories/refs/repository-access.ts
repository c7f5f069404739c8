import { Role } from '#kernel/access/roles.js';

/** Who may read branches and tags: whoever may read the code. */
export const REFS_READ = {
  anyone: true,
  project: Role.Reporter,
  publicRead: true,
  feature: 'repository',
} as const;

/** Who may make and remove branches and tags that are not protected. */
export const REFS_WRITE = { project: Role.Developer, feature: 'repository' } as const;

/** Who says what is protected. */
export const PROTECTIONS = { project: Role.Maintainer, feature: 'repository' } as const;
