/** Lists show one item; longer nested items are dropped. */
const LONGEST_ITEM = 500;
const LONGEST_TEXT = 160;

/** Replaces all secrets. */
const SECRET = 'shown-only-once';

const SHA = '3f786850e387550fdab836ed7e6dc881de23001b';

/** Values that vary between runs, wherever they are in a text, and their replacements. */
const MOVING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '2026-03-14T09:26:53.589Z'],
  [
    /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/g,
    '5b1f7d3c-8a2e-4c6d-9f01-2e4a6c8b0d1f',
  ],
  [
    /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g,
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ],
  [/(?<![0-9a-f])(?!0{40})[0-9a-f]{40}(?![0-9a-f])/g, SHA],
  [/(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g, 'd3b07384d113edec49eaa6238ad5ff00'],
  [/(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/g, 'd3b07384d113edec'],
  [/\b(gl[a-z]+-)[\w.-]{15,}/g, `$1${SECRET}`],
  [/https?:\/\/(?:127\.0\.0\.1:\d+|forgeplane\.test)/g, 'https://forge.example.com'],
  [/forgeplane\.test/g, 'forge.example.com'],
  [/(\/(?:-\/)?(?:project|epics)s?)\/\d+/g, '$1/12'],
  [/\/groups\/\d+/g, '/groups/5'],
  [/\/users\/\d+/g, '/users/7'],
  [/\/(pipelines|jobs|snippets|packages)\/\d+/g, '/$1/42'],
];

/** Days by their meaning. */
const DAYS: readonly (readonly [RegExp, string])[] = [
  [/start|from|created/, '2026-03-02'],
  [/due|end|expires|until|to$/, '2026-09-30'],
];

/** Whole values by the names of their fields. */
const VALUES: readonly (readonly [RegExp, unknown])[] = [
  [/^kid$/, 'key-of-2026'],
  [
    /^n$/,
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs',
  ],
  [/^short_id$/, SHA.slice(0, 8)],
  [/secret$|^password$/, SECRET],
  [/^(?:(?:queued_)?duration|time_in_queue_seconds)$/, 12],
  [/^revision$/, '3f786850'],
  [/^correlation_id_value$/, 'kT3xQ9wLr2bV8nYc'],
  [/^expires_in(?:_seconds)?$/, 7200],
  [/(?:^|_)size$|^bytes_/, 1024],
  [/^(?:free|size)_bytes$/, 1_073_741_824],
  [/^(?:max_)?connections$/, 100],
  [/_ip$|^ip_address$/, '192.0.2.1'],
];

/** Ids by the kind of their object. */
const IDS: readonly (readonly [RegExp, number])[] = [
  [/user|author|assignee|owner|creator|reviewer|approve|member|_by$/, 7],
  [/project/, 12],
  [/group|namespace|parent|root/, 5],
];

const SECONDS = 1_773_480_413;

/** A record as the document shows it: short, and the same in each run. */
export function settled(record: string, value: object): unknown {
  const of = /^(?:Any|Own|Admin)?(Project|User|Group)(?:Simple|Detail|Basic|List|Admin)?Record$/.exec(
    record,
  )?.[1];
  return settledHash(value as Record<string, unknown>, of?.toLowerCase() ?? record, 0);
}

const settledHash = (hash: Record<string, unknown>, holder: string, depth: number): object =>
  Object.fromEntries(
    Object.entries(hash).map(([name, one]) => [name, settledValue(one, name, holder, depth + 1)]),
  );

function settledValue(value: unknown, name: string, holder: string, depth: number): unknown {
  if (Array.isArray(value)) return settledList(value, name, holder, depth);
  if (typeof value === 'object' && value !== null)
    return settledHash(value as Record<string, unknown>, name, depth);
  const whole = VALUES.find(([pattern]) => pattern.test(name))?.[1];
  if (whole !== undefined && typeof whole === typeof value) return whole;
  if (typeof value === 'number') return settledNumber(value, name, holder);
  return typeof value === 'string' ? settledText(value, name) : value;
}

/** One item is enough as an example, and a long nested one has its own schema. */
function settledList(list: readonly unknown[], name: string, holder: string, depth: number): unknown[] {
  const [first] = list.slice(0, 1).map((one) => settledValue(one, name, holder, depth));
  if (first === undefined) return [];
  const isLong = typeof first === 'object' && JSON.stringify(first).length > LONGEST_ITEM;
  return isLong ? [] : [first];
}

function settledNumber(value: number, name: string, holder: string): number {
  if (value > 1_500_000_000) return SECONDS;
  if (!/(?:^|_)ids?$/.test(name)) return value;
  const of = name === 'id' ? holder : name;
  return IDS.find(([pattern]) => pattern.test(of))?.[1] ?? 42;
}

function settledText(value: string, name: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value))
    return DAYS.find(([pattern]) => pattern.test(name))?.[1] ?? '2026-03-14';
  const text = MOVING.reduce((was, [pattern, instead]) => was.replace(pattern, instead), value);
  if (/token$/.test(name) && !text.includes(SECRET)) return SECRET;
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
