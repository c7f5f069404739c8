import { Role } from '#kernel/access/roles.js';

/** Who may read the code of a project through the API: Reporters, and everybody who sees it where it is shown to everybody. */
export const REPOSITORY_READ = {
  project: Role.Reporter,
  publicRead: true,
  anyone: true,
  feature: 'repository',
} as const;

/** The same for single files, for which a token with `read_repository` is enough. */
export const FILE_READ = { ...REPOSITORY_READ, scopes: ['read_repository'] } as const;

/** Who may change the code of a project through the API. */
export const REPOSITORY_WRITE = { project: Role.Developer, feature: 'repository' } as const;
