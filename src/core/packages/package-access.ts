import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { unauthorized } from '#kernel/http/errors.js';

/** Who may see packages, signed in. */
export const PACKAGE_USER_READ = {
  project: Role.Reporter,
  publicRead: true,
  feature: 'package_registry',
  jobToken: true,
  basic: true,
} as const;

/** The same for everybody, signed in or not. */
export const PACKAGE_READ = { ...PACKAGE_USER_READ, anyone: true } as const;

/** Who may publish packages. */
export const PACKAGE_WRITE = {
  project: Role.Developer,
  feature: 'package_registry',
  jobToken: true,
  basic: true,
} as const;

/** Who may remove packages. */
export const PACKAGE_REMOVE = { ...PACKAGE_WRITE, project: Role.Maintainer } as const;

/** OAuth tokens are no credentials of the package registry (`api-v4.md` 5.2). @throws 401 */
export function refuseOauth({ credential }: Caller): void {
  if (credential?.kind === 'oauth') throw unauthorized();
}
