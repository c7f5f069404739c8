import type { AccessRule } from '#kernel/access/access.js';
import type { Caller } from '#kernel/access/caller.js';
import type { Scope } from '#kernel/access/roles.js';
import { insufficientScope } from '#kernel/http/errors.js';

/** Scopes that never reach writing. */
const READING = new Set<Scope>(['read_api', 'read_user', 'read_repository', 'read_registry']);

/**
 * Refuses a token whose scopes do not reach the route: `api` reaches all, `read_api` all reading, others what the rule names.
 * Sessions have every scope; of the tokens of jobs the rule says itself where they are taken. Under sudo the scope `sudo` is enough, and the sudo guard refuses whoever lacks it; naming oneself
 * is no sudo.
 * @throws 403 insufficient_scope naming the scopes that would do.
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
