import { Role } from '#kernel/access/roles.js';

/**
 * Read access to the code, branches and tags of a project through the API: Reporters, and everyone if the
 * project and its code are public.
 */
export const REPOSITORY_READ = {
  project: Role.Reporter,
  publicRead: true,
  anyone: true,
  feature: 'repository',
} as const;

/** The same access for single files, for which the scope `read_repository` suffices. */
export const FILE_READ = { ...REPOSITORY_READ, scopes: ['read_repository'] } as const;

/** Write access to the code of a project through the API, and to its unprotected branches and tags. */
export const REPOSITORY_WRITE = { project: Role.Developer, feature: 'repository' } as const;

/** Write access for commits on a branch that may be open to users of any role: `BranchGuestsPort` decides. */
export const BRANCH_WRITE = { ...REPOSITORY_WRITE, publicRead: true } as const;

/** Access to the protections of a project. */
export const PROTECTIONS = { project: Role.Maintainer, feature: 'repository' } as const;
