import type { FieldOptions } from '#kernel/http/fields/field-spec.js';
import { Problem } from '#kernel/http/fields/field-spec.js';
import { scalar, texts } from '#kernel/http/fields/scalar-fields.js';
import { isISO8601 } from 'class-validator';

const DAY_MS = 86_400_000;
const FIRST = new Date('0100-01-01T00:00:00Z').getTime();
const LAST = new Date('9999-12-31T23:59:59.999Z').getTime();

/** Parses a day, also without leading zeros, to its start in UTC; null if it is invalid. */
function dayOf(text: string): number | null {
  const found = /^(\d{4})([-/]?)(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (!found) return null;
  const [year, month, day] = [found[1], found[3], found[4]].map(Number) as [number, number, number];
  const time = Date.UTC(year, month - 1, day);
  const isThere = new Date(time).getUTCMonth() === month - 1 && new Date(time).getUTCDate() === day;
  return isThere && year >= 100 ? time : null;
}

/** Parses a time with milliseconds; null if it is invalid. */
function timeOf(text: string): number | null {
  if (!/[tT ]\d/.test(text) || !isISO8601(text, { strict: true })) return null;
  const time = new Date(/([zZ]|[+-]\d\d:?(\d\d)?)$/.test(text) ? text : `${text}Z`).getTime();
  return Number.isNaN(time) || time < FIRST || time > LAST ? null : time;
}

const bound = (options: FieldOptions, dayShiftMs: number, timeShiftMs: number): PropertyDecorator =>
  scalar(options, {
    blankIsNull: true,
    coerce: (raw) => {
      if (typeof raw !== 'string' || raw.length > 40) return new Problem(texts.invalid);
      const day = dayOf(raw);
      const time = day === null ? timeOf(raw) : day + dayShiftMs;
      if (time === null) return new Problem(texts.invalid);
      return new Date(Math.min(day === null ? time + timeShiftMs : time, LAST));
    },
    check: () => null,
    schema: () => ({ type: 'string', example: '2026-01-31' }),
  });

/** Filter for events before a day or time: the first excluded moment. */
export const Before = (options: FieldOptions): PropertyDecorator => bound(options, 0, 0);

/** Filter for events after a day, excluding that day, or after a time: the first included moment. */
export const After = (options: FieldOptions): PropertyDecorator => bound(options, DAY_MS, 1);
