import type { Scope } from '#kernel/access/roles.js';
import type { SettingsValues } from '#core/instance/settings/settings.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import type { AuthorizingUser } from '../authorizing-user.queries.js';

/** Why somebody who is signed in cannot authorize an application: it is theirs to hear, and nothing that the client did wrong. */
export type Hindrance = 'unconfirmed' | 'administrator';

/** Scopes that reach beyond knowing who somebody is. */
const DANGEROUS: readonly Scope[] = [
  'api',
  'read_api',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'create_runner',
  'k8s_proxy',
  'sudo',
  'admin_mode',
];

/**
 * An address that was never confirmed may be somebody else's (CVE-2022-4037). With `disable_admin_oauth_scopes` administrators
 * connect only applications that are trusted, or that were registered for nothing dangerous.
 */
export function hindranceOf(
  user: AuthorizingUser,
  application: ApplicationRow,
  { disable_admin_oauth_scopes: isKept }: Pick<SettingsValues, 'disable_admin_oauth_scopes'>,
): Hindrance | null {
  if (!user.confirmed) return 'unconfirmed';
  const isDangerous = application.scopes.some((scope) => DANGEROUS.includes(scope));
  return isKept && user.admin && isDangerous && !application.trusted ? 'administrator' : null;
}
