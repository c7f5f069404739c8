import type { Scope } from '#kernel/access/roles.js';
import type { SettingsValues } from '#core/instance/settings/settings.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import type { AuthorizingUser } from '../authorizing-user.queries.js';

/**
 * Why a signed-in user cannot authorize an application; shown to the user, since the client did nothing
 * wrong.
 */
export type Hindrance = 'unconfirmed' | 'administrator';

/** Scopes beyond reading the user's identity. */
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
 * An unconfirmed address may belong to another person (CVE-2022-4037). With `disable_admin_oauth_scopes`,
 * administrators can only authorize applications that are trusted or have no dangerous scopes.
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
