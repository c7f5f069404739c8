import {
  fieldsOf,
  isRequired,
  type FieldClass,
  type FieldOptions,
  type FieldSpec,
} from '#kernel/http/fields/field-spec.js';

/** A JSON Schema, loosely. */
export type Schema = Record<string, unknown>;

const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const isRef = (schema: Schema): boolean => '$ref' in schema;

/** Descriptions that lead to another field. Such a field has no date on which it ends, and so no header tells of it. */
const LEADS_AWAY = /^(?:Deprecated\b|Use \w|Old name of )|; use \w+$/;

/** Whether clients should no longer use a field, all of its values. */
const isOnItsWayOut = ({ deprecated, description = '' }: FieldOptions): boolean =>
  (deprecated !== undefined && !deprecated.when) || LEADS_AWAY.test(description);

/** The schema of one field with everything its options say. */
export function schemaOfField({ options, schema }: FieldSpec): Schema {
  const own = { ...schema() };
  const nullable: Schema = !options.nullable
    ? own
    : isRef(own) || !('type' in own)
      ? Object.keys(own).length === 0
        ? own
        : { anyOf: [own, { type: 'null' }] }
      : {
          ...own,
          type: [own['type'], 'null'],
          ...(Array.isArray(own['enum']) ? { enum: [...(own['enum'] as unknown[]), null] } : {}),
        };
  return {
    ...nullable,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { examples: [options.example] }),
    ...(isOnItsWayOut(options) ? { deprecated: true } : {}),
  };
}

/** The schema of a hash with the given fields. */
export function objectSchema(fields: readonly FieldSpec[]): Schema {
  const required = fields.filter((field) => isRequired(field.options)).map((field) => field.name);
  const eitherOr = fields.flatMap(({ name, options: { unless } }) =>
    unless === undefined ? [] : [{ anyOf: [{ required: [name] }, { required: [unless] }] }],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...(eitherOr.length > 0 ? { allOf: eitherOr } : {}),
  };
}

/** The schemas of the classes that routes use, each once, under the name of its class. */
export class SchemaRegistry {
  private readonly schemas = new Map<string, Schema>();
  private readonly owners = new Map<string, FieldClass>();

  /** Examples are JSON, by the names of their classes. */
  constructor(private readonly examples: Readonly<Record<string, string>> = {}) {}

  /** A reference to the schema of a class; the schema is added with all that it refers to. */
  refer(type: FieldClass): Schema {
    const owner = this.owners.get(type.name);
    if (owner && owner !== type)
      throw new Error(`Two classes are called ${type.name}; schemas are told apart by name`);
    if (!owner) this.add(type);
    return refTo(type.name);
  }

  /** Adds a schema that is no class's own; returns a reference to it. */
  put(name: string, schema: Schema): Schema {
    if (this.schemas.has(name)) throw new Error(`Two schemas are called ${name}`);
    this.schemas.set(name, schema);
    return refTo(name);
  }

  /** All schemas, sorted by name. */
  all(): Record<string, Schema> {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private add(type: FieldClass): void {
    this.owners.set(type.name, type);
    const fields = fieldsOf(type);
    for (const { nested } of fields) if (nested) this.refer(nested());
    const recorded = this.examples[type.name];
    const examples = recorded === undefined ? {} : { examples: [JSON.parse(recorded) as unknown] };
    this.put(type.name, { ...objectSchema(fields), ...examples });
  }
}
