import { Role, Tier } from '#kernel/access/roles.js';

/** Who may read environments. */
export const ENVIRONMENT_READ = {
  project: Role.Reporter,
  publicRead: true,
  feature: 'environments',
  jobToken: Tier.Premium,
} as const;

/** Who may change environments. */
export const ENVIRONMENT_WRITE = {
  project: Role.Developer,
  feature: 'environments',
  jobToken: Tier.Premium,
} as const;

/** Who may read deployments: they are made of code, and go no further than it. */
export const DEPLOYMENT_READ = { ...ENVIRONMENT_READ, feature: 'deployments' } as const;

/** Who may deploy. */
export const DEPLOYMENT_WRITE = { ...ENVIRONMENT_WRITE, feature: 'deployments' } as const;
