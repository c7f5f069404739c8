import { configNames } from './load-config.js';

/**
 * Common names of other products for our variables. Excludes those that Kubernetes sets for services by
 * itself (`S3_PORT`, `REDIS_HOST`).
 */
const OTHER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^S3_(URL|URI|BUCKETS?|BUCKET_NAME|ENDPOINT|ENDPOINT_URL|REGION|PREFIX)$/, 'OBJECT_STORE_URL'],
  [/^S3_ACCESS_KEY(_ID)?$/, 'OBJECT_STORE_ACCESS_KEY_ID'],
  [/^S3_SECRET(_ACCESS)?_KEY$/, 'OBJECT_STORE_SECRET_ACCESS_KEY'],
  [/^(DB|PG|POSTGRES|POSTGRESQL)_UR[IL]$/, 'DATABASE_URL'],
];

/** Variables that Kubernetes sets for a service of that name. */
const OF_SERVICES = /_(PORT|SERVICE_HOST|SERVICE_PORT)$/;

/** Names up to this length have too many neighbors: only one missing or extra letter counts as a typo. */
const SHORT = 4;
/** From this length on, two letters may be wrong. */
const LONG = 10;

/**
 * Returns the variable that a name was probably meant to be; undefined for our names and for unrelated ones.
 */
export function nearName(given: string): string | undefined {
  const isFile = given.endsWith('_FILE');
  const name = isFile ? given.slice(0, -'_FILE'.length) : given;
  if (configNames.includes(name)) return undefined;
  const other = OTHER_WORDS.find(([pattern]) => pattern.test(name))?.[1];
  const meant = other ?? sameWords(name) ?? closest(name);
  return meant === undefined || OF_SERVICES.test(name) ? undefined : `${meant}${isFile ? '_FILE' : ''}`;
}

/**
 * Returns the set variables that look like misspelled ones of ours, as pairs of the given and the intended
 * name.
 */
export function nearNames(
  env: Readonly<Record<string, string | undefined>> = process.env,
): (readonly [given: string, meant: string])[] {
  return Object.entries(env).flatMap(([given, value]) => {
    const meant = value === undefined || value === '' ? undefined : nearName(given);
    return meant === undefined ? [] : [[given, meant] as const];
  });
}

const sorted = (name: string): string => name.split('_').sort().join('_');

const joined = (name: string): string => name.replaceAll('_', '');

const byLetters = new Map(configNames.map((known) => [joined(known), known]));

const byWords = new Map(
  configNames.filter((known) => known.includes('_')).map((known) => [sorted(known), known]),
);

/** `redisUrl`, `REDISURL`, `URL_REDIS` and `FORGEPLANE_REDIS_URL` are REDIS_URL. */
function sameWords(name: string): string | undefined {
  const bare = name.replace(/^FORGEPLANE_/i, '').toUpperCase();
  return byLetters.get(joined(bare)) ?? byWords.get(sorted(bare));
}

/** Maximum number of wrong letters. */
const FARTHEST = 2;

function closest(name: string): string | undefined {
  const near = configNames
    .filter((known) => Math.abs(known.length - name.length) <= FARTHEST)
    .map((known) => ({ known, steps: distance(name, known) }))
    .filter(({ known, steps }) => {
      if (known.length <= SHORT) return steps === 1 && name.length !== known.length;
      return steps <= (known.length < LONG ? 1 : FARTHEST);
    });
  return near.sort((one, other) => one.steps - other.steps)[0]?.known;
}

/** Counts the letters that are missing, extra, wrong, or swapped. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= one.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(one.length, other.length);
}
