import { Role } from '#kernel/access/roles.js';
import { invalid } from '#kernel/http/errors.js';

const MINIMAL: number = Role.Minimal;

const NAMES = new Map<number, string>([
  [Role.Minimal, 'Minimal Access'],
  [Role.Guest, 'Guest'],
  [Role.Reporter, 'Reporter'],
  [Role.Developer, 'Developer'],
  [Role.Maintainer, 'Maintainer'],
  [Role.Owner, 'Owner'],
]);

/** Names an access level for texts and audit events. */
export const levelName = (level: number): string => NAMES.get(level) ?? 'No access';

/** Asserts that the level can be assigned there: minimal access is for groups with the premium plan. */
export function assertLevel(level: number, isMinimalAllowed: boolean): asserts level is Role {
  const isKnown = NAMES.has(level) && (level !== MINIMAL || isMinimalAllowed);
  if (!isKnown) throw invalid({ access_level: ['is not included in the list'] });
}

/** Asserts that an expiry date is after today, since a membership ends at the start of that day. */
export function assertFuture(day: string | null | undefined): void {
  if (typeof day === 'string' && day <= new Date().toISOString().slice(0, 10))
    throw invalid({ expires_at: ['cannot be a date in the past'] });
}
