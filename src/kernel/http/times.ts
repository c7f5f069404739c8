/** A time as records carry it: ISO 8601 with milliseconds, UTC. */
export const isoTime = (time: Date): string => time.toISOString();

/** The same for a time that may be missing. */
export const isoTimeOrNull = (time: Date | null): string | null =>
  time === null ? null : time.toISOString();
