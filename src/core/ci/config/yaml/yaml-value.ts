/** What a YAML text means. Maps, not objects: their keys come from outside. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | YamlMap | Reference;

/** Hashes in the order of their text. */
export type YamlMap = ReadonlyMap<string, Yaml>;

/** `!reference [job, key, ...]`: stands for a part of the configuration. */
export class Reference {
  constructor(readonly path: readonly string[]) {}

  get text(): string {
    return `!reference ${JSON.stringify(this.path)}`;
  }
}

/** Whether it is a hash. */
export const isMap = (value: Yaml | undefined): value is YamlMap => value instanceof Map;

/** Whether it is a list. */
export const isList = (value: Yaml | undefined): value is readonly Yaml[] => Array.isArray(value);

/** Whether it is text, a number or a boolean. */
export const isScalar = (value: Yaml | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
