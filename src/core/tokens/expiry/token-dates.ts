/** The present day in UTC, as `YYYY-MM-DD`. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** The day that lies `days` after the present one. */
export const daysFromToday = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Whether a token of that last day is expired: from the start of the day on. */
export const isExpired = (expiresAt: string | null): boolean => expiresAt !== null && expiresAt <= today();
