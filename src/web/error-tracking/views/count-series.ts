import type { ErrorHour } from '#features/error-tracking/errors/errors.queries.js';

const HOUR_MS = 3_600_000;

/** Hours or days that a row of bars covers, up to now. */
export interface Span {
  /** How many bars. */
  readonly length: number;
  /** Hours in each of them. */
  readonly hours: 1 | 24;
}

/** The last day, by the hour. */
export const LAST_DAY: Span = { length: 24, hours: 1 };

/** The last 30 days, by the day (UTC). */
export const LAST_MONTH: Span = { length: 30, hours: 24 };

/** The hour after which a span begins. */
export function beginningOf({ length, hours }: Span, now: number): Date {
  const step = hours * HOUR_MS;
  return new Date(Math.floor(now / step) * step - (length - 1) * step - 1);
}

/** Events of each hour or day of a span, the oldest first; what clocks ahead of ours have dated later counts as now. */
export function seriesOf(rows: readonly ErrorHour[], span: Span, now: number): number[] {
  const series = new Array<number>(span.length).fill(0);
  const step = span.hours * HOUR_MS;
  const present = Math.floor(now / step);
  for (const { hour, count } of rows) {
    const place = span.length - 1 - Math.max(present - Math.floor(hour.getTime() / step), 0);
    if (place >= 0) series[place] = (series[place] ?? 0) + count;
  }
  return series;
}
