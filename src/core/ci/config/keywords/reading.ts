import type { Spot } from '../problems.js';
import { isList, isMap, isScalar, type Yaml, type YamlMap } from '../yaml/yaml-value.js';

/** Reads a hash with only these keys; reports anything else and returns null. */
export function readMap(value: Yaml | undefined, spot: Spot, keys?: readonly string[]): YamlMap | null {
  if (!isMap(value)) return spot.fail('config should be a hash');
  if (keys) refuseOthers(value, spot, keys);
  return value;
}

/** Reports unknown keys. */
export function refuseOthers(map: YamlMap, spot: Spot, keys: readonly string[]): void {
  const others = [...map.keys()].filter((key) => !keys.includes(key));
  if (others.length > 0) spot.fail(`config contains unknown keys: ${others.slice(0, 20).join(', ')}`);
}

/** Formats a key for a message: `expire_in` becomes "expire in". */
const spoken = (key: string): string => key.replaceAll('_', ' ');

/** Reads a text under a key; null if it is missing, or invalid and reported. */
export function readText(map: YamlMap, key: string, spot: Spot): string | null {
  const value = map.get(key);
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : spot.fail(`${spoken(key)} should be a string`);
}

/** Reads a text that may also be written as a number. */
export function readScalar(map: YamlMap, key: string, spot: Spot): string | null {
  const value = map.get(key);
  if (value === undefined || value === null) return null;
  return isScalar(value) ? String(value) : spot.fail(`${spoken(key)} should be a string`);
}

/** Reads a boolean under a key. */
export function readFlag(map: YamlMap, key: string, spot: Spot): boolean | null {
  const value = map.get(key);
  if (value === undefined || value === null) return null;
  return typeof value === 'boolean' ? value : spot.fail(`${spoken(key)} should be a boolean value`);
}

/** Reads one of the allowed words under a key. */
export function readWord<W extends string>(
  map: YamlMap,
  key: string,
  spot: Spot,
  words: readonly W[],
): W | null {
  const value = map.get(key);
  if (value === undefined || value === null) return null;
  return (
    words.find((word) => word === value) ?? spot.fail(`${spoken(key)} should be one of: ${words.join(', ')}`)
  );
}

/** Reads a list of texts under a key, optionally also a single text; nested lists are flattened. */
export function readTexts(
  map: YamlMap,
  key: string,
  spot: Spot,
  { single = false }: { readonly single?: boolean } = {},
): readonly string[] | null {
  const value = map.get(key);
  if (value === undefined || value === null) return null;
  const texts = textsOf(single && isScalar(value) ? [value] : value);
  return texts ?? spot.fail(`${spoken(key)} should be an array of strings`);
}

/** Flattens a list of texts; null if it is invalid. */
export function textsOf(value: Yaml | undefined, depth = 1): readonly string[] | null {
  if (!isList(value)) return null;
  const texts: string[] = [];
  for (const one of value) {
    if (isScalar(one)) texts.push(String(one));
    else {
      const inner = depth < 10 ? textsOf(one, depth + 1) : null;
      if (inner === null) return null;
      for (const text of inner) texts.push(text);
    }
  }
  return texts;
}
