import { ADMIN_SCOPES, SCOPES, type Scope } from '#kernel/access/roles.js';

/** Scopes granted by default if the application has them. */
const DEFAULT_SCOPES: readonly Scope[] = ['api'];

/** Far above the length of all scopes together. */
const MAX_LENGTH = 1_000;

const known = new Set<string>(SCOPES);

/** Returns whether all scopes of a list exist. */
export const areKnown = (scopes: readonly string[]): scopes is Scope[] =>
  scopes.every((scope) => known.has(scope));

const isWithin = (wanted: readonly Scope[], allowed: readonly Scope[]): boolean =>
  wanted.every((scope) => allowed.includes(scope));

/**
 * Parses requested scopes: `text` is the parameter `scope` (names separated by single blanks, RFC 6749 3.3),
 * null for the default. `allowed`: those of the application, null without one. Null if scopes are unknown,
 * malformed or not allowed, or the default is empty.
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

/** Returns whether a user may grant these scopes. */
export const mayGrant = (scopes: readonly Scope[], isAdmin: boolean): boolean =>
  isAdmin || !scopes.some((scope) => ADMIN_SCOPES.has(scope));
