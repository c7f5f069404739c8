/** Notification levels; `global` inherits from above. */
export const LEVELS = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;

/** Levels of the global setting, which cannot inherit. */
export const GLOBAL_LEVELS = LEVELS.filter((level) => level !== 'global');

/** Notification level. */
export type Level = (typeof LEVELS)[number];

/** Default level. */
export const DEFAULT_LEVEL = 'participating' satisfies Level;
