import { Role, Tier } from '#kernel/access/roles.js';

/** Who may read environments and what was deployed to them. */
export const ENVIRONMENT_READ = {
  project: Role.Reporter,
  publicRead: true,
  feature: 'environments',
  jobToken: Tier.Premium,
} as const;

/** Who may change environments and deploy to them. */
export const ENVIRONMENT_WRITE = {
  project: Role.Developer,
  feature: 'environments',
  jobToken: Tier.Premium,
} as const;
