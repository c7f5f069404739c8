import type { Budget } from './budget.js';
import { isMap, type Yaml, type YamlMap } from './yaml-value.js';

/** Hashes are merged key by key, all the way down; anything else of the second takes the place of what the first has. */
export function deepMerge(first: YamlMap, second: YamlMap, budget: Budget): YamlMap {
  budget.spend(first.size + second.size);
  const merged = new Map<string, Yaml>(first);
  for (const [key, value] of second) {
    const before = merged.get(key);
    merged.set(key, isMap(before) && isMap(value) ? deepMerge(before, value, budget) : value);
  }
  return merged;
}
