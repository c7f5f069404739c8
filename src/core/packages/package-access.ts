import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { unauthorized } from '#kernel/http/errors.js';

/** Read access to packages for signed-in users. */
export const PACKAGE_USER_READ = {
  project: Role.Reporter,
  publicRead: true,
  feature: 'package_registry',
  jobToken: true,
  basic: true,
} as const;

/** The same access also for anonymous callers. */
export const PACKAGE_READ = { ...PACKAGE_USER_READ, anyone: true } as const;

/** Access for publishing packages. */
export const PACKAGE_WRITE = {
  project: Role.Developer,
  feature: 'package_registry',
  jobToken: true,
  basic: true,
} as const;

/** Access for removing packages. */
export const PACKAGE_REMOVE = { ...PACKAGE_WRITE, project: Role.Maintainer } as const;

/** OAuth tokens are not accepted by the package registry (`api-v4.md` 5.2). @throws 401 */
export function refuseOauth({ credential }: Caller): void {
  if (credential?.kind === 'oauth') throw unauthorized();
}
