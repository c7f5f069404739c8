/** A YAML value. Hashes are maps instead of objects because their keys come from users. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | YamlMap | Reference;

/** A hash, in the order of its text. */
export type YamlMap = ReadonlyMap<string, Yaml>;

/** `!reference [job, key, ...]`: a reference to a part of the configuration. */
export class Reference {
  constructor(readonly path: readonly string[]) {}

  get text(): string {
    return `!reference ${JSON.stringify(this.path)}`;
  }
}

/** Returns whether a value is a hash. */
export const isMap = (value: Yaml | undefined): value is YamlMap => value instanceof Map;

/** Returns whether a value is a list. */
export const isList = (value: Yaml | undefined): value is readonly Yaml[] => Array.isArray(value);

/** Returns whether a value is a text, a number or a boolean. */
export const isScalar = (value: Yaml | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
