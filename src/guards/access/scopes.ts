import type { AccessRule } from '#kernel/access/access.js';
import type { Caller } from '#kernel/access/caller.js';
import type { Scope } from '#kernel/access/roles.js';
import { insufficientScope } from '#kernel/http/errors.js';

/** Scopes that never permit writing. */
const READING = new Set<Scope>(['read_api', 'read_user', 'read_repository', 'read_registry']);

/**
 * Rejects a token whose scopes do not permit the route: `api` permits all, `read_api` all reading, others
 * what the rule names. Sessions have every scope; for CI job tokens the rule itself says where they are
 * accepted. Under sudo the scope `sudo` is enough, and the sudo guard rejects callers without it; naming
 * oneself is not sudo.
 * @throws 403 insufficient_scope naming the scopes that would be accepted.
 */
export function assertScope({ credential, sudo }: Caller, rule: AccessRule, method: string): void {
  if (!credential || credential.kind === 'session' || credential.kind === 'job' || rule.anyScope) return;
  const { scopes } = credential;
  if (sudo !== null && !(sudo === 'self' && scopes.includes('sudo'))) return;
  const isRead = method === 'GET' || method === 'HEAD';
  const reaches = (scope: Scope): boolean =>
    scope === 'api' ||
    (scope === 'read_api' && isRead) ||
    ((rule.scopes ?? []).includes(scope) && (isRead || !READING.has(scope)));
  if (scopes.some(reaches)) return;
  throw insufficientScope([...(rule.scopes ?? []), 'api', 'read_api']);
}
