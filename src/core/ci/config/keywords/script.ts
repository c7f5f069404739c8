import type { Spot } from '../problems.js';
import { isScalar, type Yaml } from '../yaml/yaml-value.js';
import { textsOf } from './reading.js';

/** Reads the lines of `script` and similar keywords: a text, or a list of texts, which may be nested. */
export function readScript(value: Yaml | undefined, spot: Spot): readonly string[] | null {
  if (value === undefined || value === null) return null;
  const lines = isScalar(value) ? [String(value)] : textsOf(value);
  return lines ?? spot.fail('config should be a string or a nested array of strings up to 10 levels deep');
}
