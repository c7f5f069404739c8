import type { CronFieldCollection } from 'cron-parser';
import { library } from '#kernel/libraries/library.js';
import { plainCron } from './cron-fields.js';

const parser = library('cron-parser');

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Longest distance between equal days: 29 February on a given weekday, across a century without one. Within
 * it, all that an expression does has happened.
 */
export const CYCLE_DAYS = 41 * 366;

/**
 * Matches of a cron expression of five fields, on a clock without daylight saving. A library parses the
 * expression, but not its search: that gives different results forwards and backwards on such clocks, and
 * takes 20 ms for rare days.
 */
export class CronSchedule {
  /** Minutes of a matching day, ascending. */
  readonly minutes: readonly number[];

  private constructor(private readonly fields: CronFieldCollection) {
    const { hour, minute } = fields;
    this.minutes = hour.values.flatMap((hours) => minute.values.map((minutes) => hours * 60 + minutes));
  }

  /** Parses an expression; null if it is invalid, or no day matches. */
  static parse(text: string): CronSchedule | null {
    const plain = plainCron(text);
    if (plain === null) return null;
    try {
      return new CronSchedule(parser().CronExpressionParser.parse(plain).fields);
    } catch {
      return null;
    }
  }

  /** Returns the first match after a time; null if there is none within a lifetime. */
  after(time: number): number | null {
    const day = dayOf(time);
    const minute = Math.floor((time - day * DAY_MS) / MINUTE_MS);
    const today = this.minutes.find((one) => one > minute);
    if (today !== undefined && this.matches(day)) return timeAt(day, today);
    const later = this.dayFrom(day + 1);
    return later === null ? null : timeAt(later, this.minutes[0] ?? 0);
  }

  /** Returns the last match at or before a time; null if there is none within a lifetime. */
  upTo(time: number): number | null {
    const day = dayOf(time);
    const minute = Math.floor((time - day * DAY_MS) / MINUTE_MS);
    const today = this.minutes.findLast((one) => one <= minute);
    if (today !== undefined && this.matches(day)) return timeAt(day, today);
    const earlier = this.dayFrom(day - 1, -1);
    return earlier === null ? null : timeAt(earlier, this.minutes.at(-1) ?? 0);
  }

  /** Returns the nearest matching day from a day, forwards or backwards; days count from 1970. */
  dayFrom(start: number, step: 1 | -1 = 1): number | null {
    const end = start + step * CYCLE_DAYS;
    for (let day = start; (end - day) * step > 0;) {
      const date = new Date(day * DAY_MS);
      if (this.hasMonth(date)) {
        if (this.matches(day)) return day;
        day += step;
      } else {
        const edge = step === 1 ? [date.getUTCMonth() + 1, 1] : [date.getUTCMonth(), 0];
        day = Date.UTC(date.getUTCFullYear(), ...(edge as [number, number])) / DAY_MS;
      }
    }
    return null;
  }

  private hasMonth(date: Date): boolean {
    return (this.fields.month.values as readonly number[]).includes(date.getUTCMonth() + 1);
  }

  /** If both days of the month and of the week are given, either suffices. */
  private matches(day: number): boolean {
    const date = new Date(day * DAY_MS);
    if (!this.hasMonth(date)) return false;
    const { dayOfMonth, dayOfWeek } = this.fields;
    if (dayOfMonth.isWildcard) return dayOfWeek.isWildcard || this.matchesWeekday(date);
    return this.matchesDate(date) || (!dayOfWeek.isWildcard && this.matchesWeekday(date));
  }

  private matchesDate(date: Date): boolean {
    const { values, hasLastChar } = this.fields.dayOfMonth;
    if ((values as readonly (number | string)[]).includes(date.getUTCDate())) return true;
    return hasLastChar && new Date(date.getTime() + DAY_MS).getUTCDate() === 1;
  }

  private matchesWeekday(date: Date): boolean {
    const { values, hasLastChar, nthDay } = this.fields.dayOfWeek;
    const weekday = date.getUTCDay();
    const isNamed = (values as readonly (number | string)[]).includes(weekday);
    if (isNamed) return nthDay <= 0 || Math.ceil(date.getUTCDate() / 7) === nthDay;
    if (!hasLastChar || new Date(date.getTime() + 7 * DAY_MS).getUTCMonth() === date.getUTCMonth())
      return false;
    return values.some((value) => typeof value === 'string' && parseInt(value, 10) % 7 === weekday);
  }
}

/** Returns the day of a time. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** Returns the time of a minute of a day. */
export const timeAt = (day: number, minute: number): number => day * DAY_MS + minute * MINUTE_MS;
