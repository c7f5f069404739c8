import { Role, Tier } from '#kernel/access/roles.js';

/** Read access to environments. */
export const ENVIRONMENT_READ = {
  project: Role.Reporter,
  publicRead: true,
  feature: 'environments',
  jobToken: Tier.Premium,
} as const;

/** Write access to environments. */
export const ENVIRONMENT_WRITE = {
  project: Role.Developer,
  feature: 'environments',
  jobToken: Tier.Premium,
} as const;

/** Read access to deployments, which requires access to code because they reveal commits. */
export const DEPLOYMENT_READ = { ...ENVIRONMENT_READ, feature: 'deployments' } as const;

/** Write access to deployments. */
export const DEPLOYMENT_WRITE = { ...ENVIRONMENT_WRITE, feature: 'deployments' } as const;
