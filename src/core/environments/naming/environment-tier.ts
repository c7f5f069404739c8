/** Tiers of environments, most important first. */
export const TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;

/** Tier of an environment. */
export type EnvironmentTier = (typeof TIERS)[number];

/** The first pattern that the name contains decides. */
const GUESSES: readonly (readonly [RegExp, EnvironmentTier])[] = [
  [/dev|review|trunk/i, 'development'],
  [/test|tst|int|ac(ce|)pt|qa|qc|control|quality/i, 'testing'],
  [/st(a|)g|mod(e|)l|pre|demo/i, 'staging'],
  [/pr(o|)d|live/i, 'production'],
];

/** Returns the tier suggested by a name. */
export const guessTier = (name: string): EnvironmentTier =>
  GUESSES.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
