import { Role, Tier } from '#kernel/access/roles.js';

const FEATURE = { feature: 'wiki' } as const;
const READ = { ...FEATURE, publicRead: true, anyone: true } as const;

/** Who reads the wiki of a project: whoever sees the project, unless its wiki is kept to members. */
export const PROJECT_WIKI_READ = { ...READ, project: Role.Guest } as const;

/** Who writes to the wiki of a project. */
export const PROJECT_WIKI_WRITE = { ...FEATURE, project: Role.Developer } as const;

/** Who reads the wiki of a group. */
export const GROUP_WIKI_READ = { ...READ, group: Role.Guest, tier: Tier.Premium } as const;

/** Who writes to the wiki of a group. */
export const GROUP_WIKI_WRITE = { ...FEATURE, group: Role.Developer, tier: Tier.Premium } as const;
