import { Role, Tier } from '#kernel/access/roles.js';

const FEATURE = { feature: 'wiki' } as const;
const READ = { ...FEATURE, publicRead: true, anyone: true } as const;

/**
 * Read access to the wiki of a project: everyone who can see the project, unless its wiki is limited to
 * members.
 */
export const PROJECT_WIKI_READ = { ...READ, project: Role.Guest } as const;

/** Write access to the wiki of a project. */
export const PROJECT_WIKI_WRITE = { ...FEATURE, project: Role.Developer } as const;

/** Read access to the wiki of a group. */
export const GROUP_WIKI_READ = { ...READ, group: Role.Guest, tier: Tier.Premium } as const;

/** Write access to the wiki of a group. */
export const GROUP_WIKI_WRITE = { ...FEATURE, group: Role.Developer, tier: Tier.Premium } as const;
