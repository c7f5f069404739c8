import { Role } from '#kernel/access/roles.js';

/** Who may read the code of a project through the API, with its branches and tags: Reporters, and everybody who sees it where it is shown to everybody. */
export const REPOSITORY_READ = {
  project: Role.Reporter,
  publicRead: true,
  anyone: true,
  feature: 'repository',
} as const;

/** The same for single files, for which a token with `read_repository` is enough. */
export const FILE_READ = { ...REPOSITORY_READ, scopes: ['read_repository'] } as const;

/** Who may change the code of a project through the API, and make and remove branches and tags that are not protected. */
export const REPOSITORY_WRITE = { project: Role.Developer, feature: 'repository' } as const;

/** The same for commits on a branch that may be open to others too: `BranchGuestsRegistry` tells, whatever the role. */
export const BRANCH_WRITE = { ...REPOSITORY_WRITE, publicRead: true } as const;

/** Who says what is protected. */
export const PROTECTIONS = { project: Role.Maintainer, feature: 'repository' } as const;
