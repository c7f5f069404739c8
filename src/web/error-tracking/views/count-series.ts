import type { ErrorHour } from '#features/error-tracking/errors/errors.queries.js';

const HOUR_MS = 3_600_000;

/** Period covered by a row of bars, up to now. */
export interface Span {
  /** Number of bars. */
  readonly length: number;
  /** Hours covered by each bar. */
  readonly hours: 1 | 24;
}

/** The last day, by the hour. */
export const LAST_DAY: Span = { length: 24, hours: 1 };

/** The last 30 days, by the day (UTC). */
export const LAST_MONTH: Span = { length: 30, hours: 24 };

/** Returns the hour after which a span begins. */
export function beginningOf({ length, hours }: Span, now: number): Date {
  const step = hours * HOUR_MS;
  return new Date(Math.floor(now / step) * step - (length - 1) * step - 1);
}

/**
 * Counts the events of each hour or day of a span, oldest first. Events dated in the future, because a
 * client's clock is ahead, count as now.
 */
export function seriesOf(rows: readonly ErrorHour[], span: Span, now: number): number[] {
  const series = new Array<number>(span.length).fill(0);
  const step = span.hours * HOUR_MS;
  const present = Math.floor(now / step);
  for (const { hour, count } of rows) {
    const position = span.length - 1 - Math.max(present - Math.floor(hour.getTime() / step), 0);
    if (position >= 0) series[position] = (series[position] ?? 0) + count;
  }
  return series;
}
