import {
  fieldsOf,
  isRequired,
  type FieldClass,
  type FieldOptions,
  type FieldSpec,
} from '#kernel/http/fields/field-spec.js';
import type { DocumentWords } from '../document-texts.js';

/** A JSON Schema, loosely. */
export type Schema = Record<string, unknown>;

const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const isRef = (schema: Schema): boolean => '$ref' in schema;

/**
 * Descriptions that point to another field. Such a field has no sunset date, and so no header announces it.
 */
const LEADS_AWAY = /^(?:Deprecated\b|Use \w|Old name of )|; use \w+$/;

/** Whether clients should no longer use a field, with any of its values. */
const isOnItsWayOut = ({ deprecated }: FieldOptions, description = ''): boolean =>
  (deprecated !== undefined && !deprecated.when) || LEADS_AWAY.test(description);

/** Returns the schema of a field with all its options; `otherwise` replaces a missing description. */
export function schemaOfField({ options, schema }: FieldSpec, otherwise?: string): Schema {
  const description = options.description ?? otherwise;
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
    ...(description === undefined ? {} : { description }),
    ...(options.example === undefined ? {} : { examples: [options.example] }),
    ...(isOnItsWayOut(options, description) ? { deprecated: true } : {}),
  };
}

/** Returns the schema of a hash with the given fields, some of which may lack a description. */
export function objectSchema(
  fields: readonly FieldSpec[],
  wordsOf: (field: string) => string | undefined = () => undefined,
): Schema {
  const required = fields.filter((field) => isRequired(field.options)).map((field) => field.name);
  const eitherOr = fields.flatMap(({ name, options: { unless } }) =>
    unless === undefined ? [] : [{ anyOf: [{ required: [name] }, { required: [unless] }] }],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, schemaOfField(field, wordsOf(field.name))]),
    ),
    ...(required.length > 0 ? { required } : {}),
    ...(eitherOr.length > 0 ? { allOf: eitherOr } : {}),
    // A record without fields is a map: its keys are values themselves.
    ...(fields.length === 0 ? { additionalProperties: true } : {}),
  };
}

/** The schemas of the classes that routes use, each once, under the name of its class. */
export class SchemaRegistry {
  private readonly schemas = new Map<string, Schema>();
  private readonly owners = new Map<string, FieldClass>();

  constructor(private readonly words?: Pick<DocumentWords, 'examples' | 'fieldOf'>) {}

  /** Returns a reference to the schema of a class, which is added with all that it references. */
  refer(type: FieldClass): Schema {
    const owner = this.owners.get(type.name);
    if (owner && owner !== type)
      throw new Error(`Two classes are called ${type.name}; schemas are told apart by name`);
    if (!owner) this.add(type);
    return refTo(type.name);
  }

  /** Adds a schema that belongs to no class; returns a reference to it. */
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
    const recorded = this.words?.examples[type.name];
    const examples = recorded === undefined ? {} : { examples: [JSON.parse(recorded) as unknown] };
    const wordsOf = (field: string): string | undefined => this.words?.fieldOf(type.name, field);
    this.put(type.name, {
      ...objectSchema(fields, type.name.endsWith('Record') ? undefined : wordsOf),
      ...examples,
    });
  }
}
