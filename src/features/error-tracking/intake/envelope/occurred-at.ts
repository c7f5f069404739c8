/** Times before the retention of events are ignored: a wrong clock must not start an error in 1970. */
const MAX_AGE_MS = 90 * 24 * 3_600_000;

const WITH_ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;

/**
 * Returns the time of an event: seconds since 1970, or ISO 8601, by default in UTC; the time of receipt if it
 * is invalid.
 */
export function occurredAt(timestamp: unknown, receivedAt: Date): Date {
  const latest = receivedAt.getTime();
  const time = milliseconds(timestamp);
  return time <= latest && time >= latest - MAX_AGE_MS ? new Date(time) : receivedAt;
}

/** Returns NaN for an invalid time. */
function milliseconds(timestamp: unknown): number {
  if (typeof timestamp === 'number') return timestamp * 1000;
  if (typeof timestamp !== 'string' || timestamp.length > 40) return NaN;
  if (/^\d+(\.\d+)?$/.test(timestamp)) return Number(timestamp) * 1000;
  return Date.parse(WITH_ZONE.test(timestamp) ? timestamp : `${timestamp}Z`);
}
