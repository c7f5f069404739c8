const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  mo: 2_592_000,
  y: 31_557_600,
};

/** Spellings of each unit. */
const UNITS = new Map(
  Object.entries({
    s: 's sec secs second seconds',
    m: 'm min mins minute minutes',
    h: 'h hr hrs hour hours',
    d: 'd day days',
    w: 'w wk wks week weeks',
    mo: 'mo mos month months',
    y: 'y yr yrs year years',
  }).flatMap(([unit, names]) => names.split(' ').map((name) => [name, SECONDS[unit] ?? 0] as const)),
);

/** Ten thousand years: later dates cannot be represented. */
const MAX_SECONDS = 10_000 * 31_557_600;

/**
 * Parses a duration to seconds, such as `30 days`, `2h20min`, `3 weeks and 2 days`; a bare number is seconds.
 * Null if it is invalid.
 */
export function parseDuration(text: string): number | null {
  const plain = text.trim().toLowerCase();
  if (plain === '' || plain.length > 100) return null;
  if (/^\d{1,12}$/.test(plain)) return bounded(Number(plain));
  const part = /\s*(?:,|and\s)?\s*(\d{1,9}(?:\.\d{1,6})?)\s*([a-z]+)/y;
  let seconds = 0;
  while (part.lastIndex < plain.length) {
    const match = part.exec(plain);
    const unit = match && UNITS.get(match[2] ?? '');
    if (!match || unit === undefined || unit === null) return null;
    seconds += Number(match[1]) * unit;
  }
  return bounded(Math.round(seconds));
}

const bounded = (seconds: number): number | null => (seconds > MAX_SECONDS ? null : seconds);
