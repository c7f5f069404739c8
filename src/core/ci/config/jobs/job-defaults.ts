import type { Spot } from '../problems.js';
import { readMap, textsOf } from '../keywords/reading.js';
import { isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';

/** Keywords with defaults for all jobs. */
export const DEFAULT_KEYS = [
  'before_script',
  'image',
  'services',
  'after_script',
  'cache',
  'interruptible',
  'retry',
  'timeout',
  'tags',
  'artifacts',
  'hooks',
  'id_tokens',
  'identity',
] as const;

/** Default keywords that are also allowed outside of `default`. */
const TOP_LEVEL_KEYS = ['image', 'services', 'before_script', 'after_script', 'cache'];

/** Defaults and variables that a job inherits. */
export interface Inheritance {
  readonly defaults: (key: string) => boolean;
  readonly variables: (key: string) => boolean;
}

/** Reads the default keywords, from `default` and from the top level. */
export function readDefaults(root: YamlMap, spot: Spot): YamlMap {
  const value = root.get('default') ?? null;
  const inDefault = value === null ? null : readMap(value, spot.in('default'), DEFAULT_KEYS);
  const defaults = new Map<string, Yaml>(inDefault ?? []);
  for (const key of TOP_LEVEL_KEYS) {
    const own = root.get(key);
    if (own === undefined) continue;
    if (defaults.has(key)) spot.fail(`${key} is defined in top-level and \`default:\` entry`);
    defaults.set(key, own);
  }
  return defaults;
}

/** Reads `inherit` of a job; by default it inherits everything. */
export function readInheritance(value: Yaml | undefined, spot: Spot): Inheritance {
  const map = value === undefined || value === null ? null : readMap(value, spot, ['default', 'variables']);
  return {
    defaults: readWhich(map, 'default', spot.in('default')),
    variables: readWhich(map, 'variables', spot.in('variables')),
  };
}

function readWhich(map: YamlMap | null, key: string, spot: Spot): (name: string) => boolean {
  const value = map?.get(key);
  if (value === undefined || typeof value === 'boolean') return () => value ?? true;
  const names = isMap(value) ? null : textsOf(value);
  if (!names) spot.fail('config should be a bool or array of strings');
  return (name) => names?.includes(name) ?? true;
}
