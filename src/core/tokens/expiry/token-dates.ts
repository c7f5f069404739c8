/** Returns the present day in UTC, as `YYYY-MM-DD`. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** Returns the day `days` after the present one. */
export const daysFromToday = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Returns whether a token has expired, at the start of its last day. */
export const isExpired = (expiresAt: string | null): boolean => expiresAt !== null && expiresAt <= today();
