import type { Spot } from '../problems.js';
import { isList, isMap, isScalar, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { refuseOthers, textsOf } from './reading.js';

const MAX_JOBS = 200;

/** Variables of one job of a matrix, in order. */
export type MatrixRow = readonly (readonly [key: string, value: string])[];

/** The copies of a job: a number of equal copies, or the rows of a matrix. */
export type Parallel = { readonly total: number } | { readonly matrix: readonly MatrixRow[] };

/** Reads `parallel`: a number of equal copies, or a `matrix` of variables. */
export function readParallel(value: Yaml | undefined, spot: Spot): Parallel | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number')
    return value >= 1 && value <= MAX_JOBS
      ? { total: value }
      : spot.fail(
          value < 1
            ? 'config must be greater than or equal to 1'
            : `config must be less than or equal to ${MAX_JOBS}`,
        );
  if (!isMap(value)) return spot.fail('should be an integer or a hash');
  refuseOthers(value, spot, ['matrix']);
  const matrix = readMatrix(value.get('matrix'), spot.in('matrix'));
  return matrix && { matrix };
}

/** Expands each entry of a matrix into all combinations of its values. */
export function readMatrix(value: Yaml | undefined, spot: Spot): readonly MatrixRow[] | null {
  if (!isList(value)) return spot.fail('config should be an array of hashes');
  const rows: MatrixRow[] = [];
  for (const entry of value) {
    if (!isMap(entry) || entry.size === 0) return spot.fail('config should be an array of hashes');
    const combined = combinations(entry);
    if (combined === null) return spot.fail('variables config should be a hash of key value pairs');
    rows.push(...combined);
    if (combined.length === 0 || rows.length > MAX_JOBS)
      return spot.fail(`config generates too many jobs (maximum is ${MAX_JOBS})`);
  }
  return rows.length > 0 ? rows : spot.fail("config can't be blank");
}

/** Returns the combinations of an entry; empty if there are too many, null if a value is invalid. */
function combinations(entry: YamlMap): readonly MatrixRow[] | null {
  let rows: MatrixRow[] = [[]];
  for (const [key, value] of entry) {
    const values = isScalar(value) ? [String(value)] : textsOf(value);
    if (!values || values.length === 0) return null;
    if (rows.length * values.length > MAX_JOBS) return [];
    rows = rows.flatMap((row) => values.map((one): MatrixRow => [...row, [key, one]]));
  }
  return rows;
}
