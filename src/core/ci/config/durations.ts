const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(s|secs?|seconds?)$/, 1],
  [/^(m|mins?|minutes?)$/, 60],
  [/^(h|hrs?|hours?)$/, 3_600],
  [/^(d|days?)$/, 86_400],
  [/^(w|wks?|weeks?)$/, 604_800],
  [/^(mos?|mths?|months?)$/, 2_592_000],
  [/^(y|yrs?|years?)$/, 31_557_600],
];

const PART = /\s*(?:and\s+|,\s*)?(\d+(?:\.\d+)?)\s*([a-z]*)/gy;
const MAX_LENGTH = 100;

/** Seconds of a time as people write it (`1 week 2 days`, `1h30m`, `3600`); null for what is none. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '' || trimmed.length > MAX_LENGTH) return null;
  let seconds = 0;
  const reader = new RegExp(PART);
  while (reader.lastIndex < trimmed.length) {
    const [, amount, unit] = reader.exec(trimmed) ?? [];
    const factor = unit === '' ? 1 : UNITS.find(([names]) => names.test(unit ?? ' '))?.[1];
    if (amount === undefined || factor === undefined) return null;
    seconds += Number(amount) * factor;
  }
  return Math.round(seconds);
}
