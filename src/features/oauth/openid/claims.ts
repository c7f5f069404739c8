import { Role } from '#kernel/access/roles.js';
import type { ClaimedUser } from './claims.queries.js';

/** The address that an application may see, with its confirmation. */
export interface EmailClaims {
  readonly email?: string;
  readonly email_verified: boolean;
}

/**
 * Returns the primary address with the scope `email`, else the public one, if any. An unconfirmed address is
 * marked as such, so that it is not taken as proof of identity (CVE-2022-4037).
 */
export function emailClaims(user: ClaimedUser, scopes: readonly string[]): EmailClaims {
  if (scopes.includes('email')) return { email: user.email, email_verified: user.email_confirmed };
  if (user.public_email === '') return { email_verified: false };
  return { email: user.public_email, email_verified: user.public_email_confirmed };
}

/** Claims with groups by role, under the names that clients know. */
export const GROUP_CLAIMS = {
  owner: 'https://gitlab.org/claims/groups/owner',
  maintainer: 'https://gitlab.org/claims/groups/maintainer',
  developer: 'https://gitlab.org/claims/groups/developer',
} as const;

const CLAIM_OF_LEVEL: ReadonlyMap<number, string> = new Map([
  [Role.Owner, GROUP_CLAIMS.owner],
  [Role.Maintainer, GROUP_CLAIMS.maintainer],
  [Role.Developer, GROUP_CLAIMS.developer],
]);

/**
 * Returns the full paths of groups in which the user is directly owner, maintainer or developer; omits roles
 * without groups.
 */
export function roleClaims({
  direct_groups: groups,
}: Pick<ClaimedUser, 'direct_groups'>): Record<string, string[]> {
  const claims: Record<string, string[]> = {};
  for (const [level, claim] of CLAIM_OF_LEVEL) {
    const paths = groups.filter((group) => group.level === level).map((group) => group.path);
    if (paths.length > 0) claims[claim] = paths;
  }
  return claims;
}

/** Returns the user's website as a URL that is safe to link; undefined if there is none. */
export function websiteClaim(website: string): string | undefined {
  if (website === '') return undefined;
  return /^https?:\/\//i.test(website) ? website : `http://${website}`;
}

/** Names of all claims in the discovery document (`auth-core.md` 1.11). */
export const CLAIM_NAMES = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'sub_legacy',
  'name',
  'nickname',
  'preferred_username',
  'email',
  'email_verified',
  'website',
  'profile',
  'picture',
  'groups',
  'groups_direct',
  GROUP_CLAIMS.owner,
  GROUP_CLAIMS.maintainer,
  GROUP_CLAIMS.developer,
] as const;
