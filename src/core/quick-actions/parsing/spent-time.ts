import { parseDuration } from '#core/notes/time-tracking/durations.js';
import { dayOf } from './dates.js';

/** Time spent, and on which day it was; null for now. */
export interface SpentTime {
  readonly duration: string;
  readonly seconds: number;
  readonly day: string | null;
}

/** A duration with or without a day behind it: `1h 30m 2026-11-20`. Null for what is none, and for a day that is to come. */
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
