import type { Budget } from './budget.js';
import { isMap, type Yaml, type YamlMap } from './yaml-value.js';

/** Merges hashes recursively by key; any other value of `second` replaces that of `first`. */
export function deepMerge(first: YamlMap, second: YamlMap, budget: Budget): YamlMap {
  budget.spend(first.size + second.size);
  const merged = new Map<string, Yaml>(first);
  for (const [key, value] of second) {
    const before = merged.get(key);
    merged.set(key, isMap(before) && isMap(value) ? deepMerge(before, value, budget) : value);
  }
  return merged;
}
