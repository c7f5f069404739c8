import { ADMIN_SCOPES, SCOPES, type Scope } from '#kernel/access/roles.js';

/** What is granted where a request names no scope and the application has it. */
const DEFAULT_SCOPES: readonly Scope[] = ['api'];

/** Far more than all scopes together. */
const MAX_LENGTH = 1_000;

const known = new Set<string>(SCOPES);

/** Whether every scope of a list is one that exists. */
export const areKnown = (scopes: readonly string[]): scopes is Scope[] =>
  scopes.every((scope) => known.has(scope));

const isWithin = (wanted: readonly Scope[], allowed: readonly Scope[]): boolean =>
  wanted.every((scope) => allowed.includes(scope));

/**
 * The scopes that a request asks for: `text` is its `scope` (names with single blanks between them, RFC 6749 3.3), null for none,
 * which means the default. `allowed` are the application's, null where there is no application. Null for scopes that are unknown,
 * malformed or beyond those, and for a default that comes to nothing.
 */
export function requestedScopes(text: string | null, allowed: readonly Scope[] | null): Scope[] | null {
  const limit = allowed ?? SCOPES;
  if (text === null) {
    const scopes = DEFAULT_SCOPES.filter((scope) => limit.includes(scope));
    return scopes.length > 0 ? scopes : null;
  }
  if (text.length > MAX_LENGTH) return null;
  const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0 || !areKnown(scopes) || !isWithin(scopes, limit)) return null;
  return scopes;
}

/** Whether a user may give away these scopes. */
export const mayGrant = (scopes: readonly Scope[], isAdmin: boolean): boolean =>
  isAdmin || !scopes.some((scope) => ADMIN_SCOPES.has(scope));
