import type { SettingsValues } from '#core/instance/settings/settings.js';

/** Facts of a user about second factors. */
export interface TwoFactorFacts {
  readonly enabled: boolean;
  /** When the user was first seen without the second factor that the instance requires. */
  readonly graceStartedAt: Date | null;
  /** Earliest deadline of the user's groups; null if none requires a second factor. */
  readonly dueToGroupAt: Date | null;
}

/** State of a required second factor that is missing. */
export interface TwoFactorDuty {
  /** The grace period is over: the browser session cannot do anything else. */
  readonly isDue: boolean;
  readonly dueAt: Date;
  /** The start of the grace period has not been recorded. */
  readonly isNew: boolean;
}

type Rules = Pick<SettingsValues, 'require_two_factor_authentication' | 'two_factor_grace_period'>;

const HOUR_MS = 3_600_000;

/** Latest time of a Date, which limits grace periods of any length. */
const END_OF_TIME = 8_640_000_000_000_000;

/**
 * Returns the duty of a user; null if the user has a second factor, or neither the instance nor a group
 * requires one; the earlier deadline applies.
 */
export function twoFactorDuty(facts: TwoFactorFacts, rules: Rules, now = new Date()): TwoFactorDuty | null {
  if (facts.enabled || !(rules.require_two_factor_authentication || facts.dueToGroupAt)) return null;
  const start = (facts.graceStartedAt ?? now).getTime();
  const instance = rules.require_two_factor_authentication
    ? start + rules.two_factor_grace_period * HOUR_MS
    : END_OF_TIME;
  const dueAt = new Date(Math.min(instance, facts.dueToGroupAt?.getTime() ?? END_OF_TIME, END_OF_TIME));
  return { isDue: now >= dueAt, dueAt, isNew: facts.graceStartedAt === null };
}
