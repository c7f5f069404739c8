/** What happened earlier than events are kept is not believed: a clock that is wrong must not begin an error in 1970. */
const MAX_AGE_MS = 90 * 24 * 3_600_000;

const WITH_ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;

/** When an event says that it happened: seconds since 1970, or ISO 8601, of UTC unless said otherwise; when it came, where that cannot be. */
export function occurredAt(timestamp: unknown, receivedAt: Date): Date {
  const latest = receivedAt.getTime();
  const time = milliseconds(timestamp);
  return time <= latest && time >= latest - MAX_AGE_MS ? new Date(time) : receivedAt;
}

/** NaN for what is no time. */
function milliseconds(timestamp: unknown): number {
  if (typeof timestamp === 'number') return timestamp * 1000;
  if (typeof timestamp !== 'string' || timestamp.length > 40) return NaN;
  if (/^\d+(\.\d+)?$/.test(timestamp)) return Number(timestamp) * 1000;
  return Date.parse(WITH_ZONE.test(timestamp) ? timestamp : `${timestamp}Z`);
}
