import type { Problems } from '../problems.js';
import type { Budget } from '../yaml/budget.js';
import { deepMerge } from '../yaml/deep-merge.js';
import { isList, isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';

/** Limit of nested `extends`. */
const MAX_LEVELS = 11;

/** Merges each job with the jobs in its `extends`. */
export function extendJobs(root: YamlMap, budget: Budget, problems: Problems): YamlMap {
  const done = new Map<string, YamlMap>();

  const extended = (name: string, entry: YamlMap, path: readonly string[]): YamlMap => {
    const before = done.get(name);
    if (before) return before;
    const bases = basesOf(entry.get('extends'));
    const problem =
      bases === null
        ? 'config should be an array of strings or a string'
        : path.includes(name)
          ? 'circular dependency detected in `extends`'
          : path.length >= MAX_LEVELS
            ? 'nesting too deep in `extends`'
            : null;
    if (bases === null || problem !== null) {
      problems.add(`${name}: ${problem ?? ''}`);
      return entry;
    }
    const unknown = bases.filter((base) => !isMap(root.get(base)));
    if (unknown.length > 0) {
      problems.add(`${name}: unknown keys in \`extends\` (${unknown.join(', ')})`);
      return entry;
    }
    let result: YamlMap = new Map();
    for (const base of bases) {
      const found = root.get(base);
      if (isMap(found)) result = deepMerge(result, extended(base, found, [...path, name]), budget);
      if (problems.any) return entry;
    }
    result = deepMerge(result, entry, budget);
    done.set(name, result);
    return result;
  };

  return new Map(
    Array.from(root, ([name, entry]): [string, Yaml] =>
      isMap(entry) && entry.has('extends') ? [name, extended(name, entry, [])] : [name, entry],
    ),
  );
}

/** Returns the names in `extends`; empty if there are none, null if they are invalid. */
function basesOf(value: Yaml | undefined): readonly string[] | null {
  if (value === undefined) return [];
  const list = isList(value) ? value : [value];
  return list.every((one) => typeof one === 'string') ? list : null;
}
