import type { SettingsValues } from '#core/instance/settings/settings.js';

/** What the row of a user says of second factors. */
export interface TwoFactorFacts {
  readonly enabled: boolean;
  /** When the user was first seen without the second factor that the instance asks for. */
  readonly graceStartedAt: Date | null;
  /** By when the first of the user's groups wants one; null where none asks. */
  readonly dueToGroupAt: Date | null;
}

/** Whether somebody owes the instance or one of their groups a second factor, and since or until when. */
export interface TwoFactorDuty {
  /** The time to set it up is over: nothing else may be done in a browser. */
  readonly isDue: boolean;
  readonly dueAt: Date;
  /** Nobody has noted yet that the time runs. */
  readonly isNew: boolean;
}

type Rules = Pick<SettingsValues, 'require_two_factor_authentication' | 'two_factor_grace_period'>;

const HOUR_MS = 3_600_000;

/** The latest time that a Date can hold: grace periods of any length end there at the latest. */
const END_OF_TIME = 8_640_000_000_000_000;

/** Null for users who have a second factor, and where neither the instance nor a group of theirs asks for one; the earlier date holds. */
export function twoFactorDuty(facts: TwoFactorFacts, rules: Rules, now = new Date()): TwoFactorDuty | null {
  if (facts.enabled || !(rules.require_two_factor_authentication || facts.dueToGroupAt)) return null;
  const start = (facts.graceStartedAt ?? now).getTime();
  const instance = rules.require_two_factor_authentication
    ? start + rules.two_factor_grace_period * HOUR_MS
    : END_OF_TIME;
  const dueAt = new Date(Math.min(instance, facts.dueToGroupAt?.getTime() ?? END_OF_TIME, END_OF_TIME));
  return { isDue: now >= dueAt, dueAt, isNew: facts.graceStartedAt === null };
}
