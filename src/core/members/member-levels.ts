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

/** A level in words, as texts and audit events show it. */
export const levelName = (level: number): string => NAMES.get(level) ?? 'No access';

/** Refuses levels that nobody can have there: the minimal one is for groups, and premium. */
export function assertLevel(level: number, isMinimalAllowed: boolean): asserts level is Role {
  const isKnown = NAMES.has(level) && (level !== MINIMAL || isMinimalAllowed);
  if (!isKnown) throw invalid({ access_level: ['is not included in the list'] });
}

/** Refuses a day of expiry that is not after today: on its day a membership has ended. */
export function assertFuture(day: string | null | undefined): void {
  if (typeof day === 'string' && day <= new Date().toISOString().slice(0, 10))
    throw invalid({ expires_at: ['cannot be a date in the past'] });
}
