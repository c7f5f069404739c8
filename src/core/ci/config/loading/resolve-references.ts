import { ConfigRefused } from '../problems.js';
import { isList, isMap, Reference, type Yaml, type YamlMap } from '../yaml/yaml-value.js';

/** Limit of nested references. */
const MAX_LEVELS = 10;

/** Replaces each `!reference` by its target. @throws ConfigRefused if the target is missing or circular */
export function resolveReferences(root: YamlMap): YamlMap {
  return new ReferenceResolver(root).resolveRoot();
}

/**
 * Resolves references; a shared value is resolved once and stays shared, so that time and memory do not grow
 * with its uses.
 */
class ReferenceResolver {
  private readonly values = new Map<Yaml, Yaml>();
  private readonly references = new Map<string, Yaml>();
  /** References being followed. */
  private readonly path: string[] = [];

  constructor(private readonly root: YamlMap) {}

  resolveRoot(): YamlMap {
    return new Map(Array.from(this.root, ([key, value]) => [key, this.resolve(value)]));
  }

  private resolve(value: Yaml): Yaml {
    if (value instanceof Reference) return this.follow(value);
    if (!isList(value) && !isMap(value)) return value;
    const before = this.values.get(value);
    if (before !== undefined) return before;
    const resolved = isList(value) ? this.resolveList(value) : this.resolveMap(value);
    this.values.set(value, resolved);
    return resolved;
  }

  private resolveList(list: readonly Yaml[]): Yaml {
    const parts = list.map((one) => this.resolve(one));
    return parts.some((part, index) => part !== list[index]) ? parts : list;
  }

  private resolveMap(map: YamlMap): Yaml {
    const parts = Array.from(map, ([key, one]): [string, Yaml] => [key, this.resolve(one)]);
    return parts.some(([key, part]) => part !== map.get(key)) ? new Map(parts) : map;
  }

  private follow(reference: Reference): Yaml {
    const { text } = reference;
    const before = this.references.get(text);
    if (before !== undefined) return before;
    if (this.path.includes(text)) throw new ConfigRefused(`${text} is part of a circular chain`);
    if (this.path.length >= MAX_LEVELS) throw new ConfigRefused(`${text} is nested too deeply`);
    this.path.push(text);
    const value = this.resolve(this.target(reference));
    this.path.pop();
    this.references.set(text, value);
    return value;
  }

  private target({ path, text }: Reference): Yaml {
    let found: Yaml | undefined = path.length > 0 ? this.root : undefined;
    for (const key of path) {
      if (found instanceof Reference) found = this.follow(found);
      found = isMap(found) ? found.get(key) : undefined;
    }
    if (found === undefined) throw new ConfigRefused(`${text} could not be found`);
    return found;
  }
}
