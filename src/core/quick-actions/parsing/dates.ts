const DAY = 86_400_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAYS_OF: Readonly<Record<string, number>> = { day: 1, week: 7 };
const MONTHS_OF: Readonly<Record<string, number>> = { month: 1, year: 12 };

const ISO = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/;
const AHEAD = /^(?:in )?(\d{1,5}|an?|one) (day|week|month|year)s?( from (?:now|today))?$/;
const NEXT = /^next (week|month|year)$/;
const WEEKDAY = /^(?:(?:next|this) )?(sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}$/;
const MONTH_DAY = /^([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/;
const DAY_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]{3,9})(?: (\d{4}))?$/;
const FULL_NAMES =
  /^(?:january|february|march|april|june|july|august|september|sept|october|november|december|sunday|monday|tuesday|tues|wednesday|thursday|thurs|friday|saturday)$/;

/**
 * Parses a day (`YYYY-MM-DD`) from words such as `2026-12-24`, `tomorrow`, `in 2 weeks`, `next friday`,
 * `December 24th`; without a year it is the next such day. Null if it is invalid.
 */
export function dayOf(text: string, today: string): string | null {
  if (text.length > 64) return null;
  const words = text
    .toLowerCase()
    .replace(/[,\s]+/g, ' ')
    .trim()
    .replace(/^(?:on|by|the) /, '');
  const [, year, month, day] = ISO.exec(words) ?? [];
  if (year !== undefined) return dayOr(Number(year), Number(month), Number(day));
  return nearDay(words, today) ?? weekday(words, today) ?? dayOfMonth(words, today);
}

function nearDay(words: string, today: string): string | null {
  const near = { yesterday: -1, today: 0, now: 0, tomorrow: 1 }[words];
  if (near !== undefined) return plusDays(today, near);
  const [, next] = NEXT.exec(words) ?? [];
  if (next !== undefined) return ahead(today, 1, next);
  const [, count, unit = '', from] = AHEAD.exec(words) ?? [];
  if (count === undefined || !(words.startsWith('in ') || from !== undefined)) return null;
  return ahead(today, /^\d/.test(count) ? Number(count) : 1, unit);
}

function ahead(today: string, count: number, unit: string): string | null {
  const days = DAYS_OF[unit];
  return days === undefined
    ? plusMonths(today, count * (MONTHS_OF[unit] ?? 0))
    : plusDays(today, count * days);
}

/** Returns the next day with that name; never today. */
function weekday(words: string, today: string): string | null {
  const [, name] = WEEKDAY.exec(words) ?? [];
  const written = words.replace(/^(?:next|this) /, '');
  if (name === undefined || !(written.length === 3 || FULL_NAMES.test(written))) return null;
  const distance = (WEEKDAYS.indexOf(name) - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7;
  return plusDays(today, distance === 0 ? 7 : distance);
}

function dayOfMonth(words: string, today: string): string | null {
  const [, first, firstDay, firstYear] = MONTH_DAY.exec(words) ?? [];
  const [, lastDay, last, lastYear] = DAY_MONTH.exec(words) ?? [];
  const name = first ?? last ?? '';
  const month = MONTHS.indexOf(name.slice(0, 3)) + 1;
  if (month === 0 || !(name.length === 3 || FULL_NAMES.test(name))) return null;
  const day = Number(firstDay ?? lastDay);
  const year = firstYear ?? lastYear;
  if (year !== undefined) return dayOr(Number(year), month, day);
  const thisYear = Number(today.slice(0, 4));
  const soon = dayOr(thisYear, month, day);
  return soon !== null && soon >= today ? soon : dayOr(thisYear + 1, month, day);
}

/** Returns the day if it exists, or null. */
function dayOr(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return isReal && year >= 1000 && day > 0 ? date.toISOString().slice(0, 10) : null;
}

function plusDays(day: string, count: number): string | null {
  return written(new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY));
}

/** Returns the same day of a later month, or its last day. */
function plusMonths(day: string, count: number): string | null {
  const from = new Date(`${day}T00:00:00Z`);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return written(new Date(Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay))));
}

const written = (date: Date): string | null =>
  Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? null : date.toISOString().slice(0, 10);

/** Returns the present day in UTC. */
export const todayIs = (): string => new Date().toISOString().slice(0, 10);
