const HOUR = 3_600;
/** Working time: a day has eight hours, a week five days, a month four weeks. */
const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['mo', 160 * HOUR],
  ['w', 40 * HOUR],
  ['d', 8 * HOUR],
  ['h', HOUR],
  ['m', 60],
  ['s', 1],
];
const SECONDS = new Map<string, number>([
  ...UNITS,
  ...(['mos', 'month', 'months'] as const).map((name) => [name, 160 * HOUR] as const),
  ...(['week', 'weeks'] as const).map((name) => [name, 40 * HOUR] as const),
  ...(['day', 'days'] as const).map((name) => [name, 8 * HOUR] as const),
  ...(['hr', 'hrs', 'hour', 'hours'] as const).map((name) => [name, HOUR] as const),
  ...(['min', 'mins', 'minute', 'minutes'] as const).map((name) => [name, 60] as const),
  ...(['sec', 'secs', 'second', 'seconds'] as const).map((name) => [name, 1] as const),
]);

const WHOLE = /^[+-]?(?:\s*\d{1,9}(?:\.\d{1,4})?\s*[a-z]+)+$/;
const PART = /(\d{1,9}(?:\.\d{1,4})?)\s*([a-z]+)/g;

/** Limit that keeps stored values within the numbers of all clients. */
const MAX_SECONDS = 1_000_000 * HOUR;

/**
 * Parses a duration such as `1mo 2w 3d 4h 5m 6s` to seconds; a leading sign applies to all of it, a bare
 * number is hours. Null if it is invalid (`planning.md` 5.8).
 */
export function parseDuration(text: string): number | null {
  const given = text.trim().toLowerCase();
  if (given.length > 255) return null;
  const known = /^[+-]?\d{1,9}(?:\.\d{1,4})?$/.test(given) ? `${given}h` : given;
  if (!WHOLE.test(known)) return null;
  let seconds = 0;
  for (const [, amount = '', unit = ''] of known.matchAll(PART)) {
    const size = SECONDS.get(unit);
    if (size === undefined) return null;
    seconds += Number(amount) * size;
  }
  const rounded = Math.round(seconds);
  if (rounded > MAX_SECONDS) return null;
  return known.startsWith('-') && rounded > 0 ? -rounded : rounded;
}

/** Formats seconds such as `3h 30m`; null for zero. */
export function humanDuration(seconds: number): string | null {
  let rest = Math.abs(seconds);
  const parts: string[] = [];
  for (const [name, size] of UNITS) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(`${amount}${name}`);
  }
  if (parts.length === 0) return null;
  return `${seconds < 0 ? '-' : ''}${parts.join(' ')}`;
}
