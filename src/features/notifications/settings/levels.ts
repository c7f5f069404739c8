/** How much somebody wants to be told; `global` leaves it to what stands above. */
export const LEVELS = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;

/** Those for everywhere: nothing stands above. */
export const GLOBAL_LEVELS = LEVELS.filter((level) => level !== 'global');

/** Notification level. */
export type Level = (typeof LEVELS)[number];

/** Who has said nothing is told of what they take part in. */
export const DEFAULT_LEVEL = 'participating' satisfies Level;
