import { parseDuration } from '#core/notes/time-tracking/durations.js';
import { dayOf } from './dates.js';

/** Spent time, and its day; null for the present time. */
export interface SpentTime {
  readonly duration: string;
  readonly seconds: number;
  readonly day: string | null;
}

/**
 * Parses a duration with an optional day: `1h 30m 2026-11-20`. Null if it is invalid or the day is in the
 * future.
 */
export function spentIn(argument: string, today: string): SpentTime | null {
  const given = argument.slice(0, 320);
  const space = given.trimEnd().lastIndexOf(' ');
  const last = given.slice(space + 1).trim();
  const hasDay = space > 0 && /^(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|today|yesterday)$/i.test(last);
  const day = hasDay ? dayOf(last, today) : null;
  if (hasDay && (day === null || day > today)) return null;
  const duration = hasDay ? given.slice(0, space).trim() : given;
  const seconds = parseDuration(duration);
  return seconds === null || seconds === 0 ? null : { duration, seconds, day: day === today ? null : day };
}
