import type { AccessRule } from '#kernel/access/access.js';
import { Role } from '#kernel/access/roles.js';

/** Access to pages that show what receives alerts. */
export const MONITOR_SETTINGS_READ = {
  page: 'user',
  project: Role.Developer,
  feature: 'monitor',
  from: 'project_id',
} as const satisfies AccessRule;

/** Access to pages and actions that change what receives alerts and errors. */
export const MONITOR_SETTINGS_WRITE = {
  ...MONITOR_SETTINGS_READ,
  project: Role.Maintainer,
} as const satisfies AccessRule;

/** Access to actions that remove it, also where the feature is disabled or the project archived. */
export const MONITOR_SETTINGS_REMOVE = {
  page: 'user',
  project: Role.Maintainer,
  from: 'project_id',
  archived: true,
} as const satisfies AccessRule;
