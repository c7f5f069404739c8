/** Formats a time as in records: ISO 8601 with milliseconds, UTC. */
export const isoTime = (time: Date): string => time.toISOString();

/** The same for an optional time. */
export const isoTimeOrNull = (time: Date | null): string | null =>
  time === null ? null : time.toISOString();
