import type { Spot } from '../problems.js';
import { isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { refuseOthers } from './reading.js';

/** Which failures of a job are allowed. */
export interface AllowFailure {
  /** Null for the default. */
  readonly all: boolean | null;
  readonly exitCodes: readonly number[] | null;
}

/** Limit of the exit codes that runners report. */
const MAX_CODE = 2_147_483_647;

const NOTHING_SAID: AllowFailure = { all: null, exitCodes: null };

/** Reads `allow_failure`: a boolean, or the exit codes that are allowed. */
export function readAllowFailure(value: Yaml | undefined, spot: Spot): AllowFailure {
  if (value === undefined || value === null) return NOTHING_SAID;
  if (typeof value === 'boolean') return { all: value, exitCodes: null };
  if (!isMap(value)) {
    spot.fail('config should be a hash or a boolean value');
    return NOTHING_SAID;
  }
  refuseOthers(value, spot, ['exit_codes']);
  const exitCodes = readExitCodes(value, spot);
  return exitCodes ? { all: false, exitCodes } : NOTHING_SAID;
}

/** Reads `exit_codes`: one, or a list; null if they are invalid and reported. */
export function readExitCodes(map: YamlMap, spot: Spot): readonly number[] | null {
  const written = map.get('exit_codes');
  const codes: unknown = Array.isArray(written) ? written : [written];
  return isIntegers(codes) ? codes : spot.fail('exit codes should be an array of integers or an integer');
}

const isIntegers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= 256 &&
  value.every((one) => Number.isInteger(one) && Math.abs(one as number) <= MAX_CODE);
