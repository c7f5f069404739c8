import {
  fieldsOf,
  type FieldClass,
  type FieldOptions,
  type FieldSpec,
} from '#kernel/http/fields/field-spec.js';
import type { Schema } from '../components/schemas.js';

/**
 * Sample texts by the end of a field's name, the first match wins, so that a field needs no example of its
 * own.
 */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/(^|_)email$/, 'ada@example.com'],
  [/(^|_)username$/, 'ada'],
  [/avatar_url$/, 'https://forge.example.com/uploads/avatar.png'],
  [/http_url_to_repo$/, 'https://forge.example.com/tools/engine.git'],
  [/_url$/, 'https://forge.example.com/tools/engine'],
  [/path_with_namespace$/, 'tools/engine'],
  [/name_with_namespace$/, 'Tools / Engine'],
  [/full_path$/, 'tools'],
  [/(^|_)(path|slug)$/, 'engine'],
  [/^tag_name$/, 'v1.0'],
  [/_storage_name$/, 'second'],
  [/(^|_)name$/, 'Engine'],
  [/(^|_)sha$/, '3f786850e387550fdab836ed7e6dc881de23001b'],
  [/^branch$/, 'faster-pages'],
  [/(^|_)(ref|branch)$/, 'main'],
  [/(^|_)id$/, '42'],
  [/^commit_message$/, 'Load pages faster'],
  [/^content$/, 'One line\n'],
  [/^key$/, 'STAGE'],
  [/^value$/, 'production'],
  [/^namespace$/, 'tools'],
  [/^license$/, 'eyJwbGFuIjoicHJlbWl1bSJ9'],
  [/(^|_)token$/, 'glpat-shown-only-once'],
  [/scopes$/, 'read_api'],
  [/_ip$/, '192.0.2.1'],
  [/_access_level$/, 'enabled'],
  [/(^|_)state$/, 'active'],
  [/^(topics|tag_list|labels)$/, 'search'],
  [/^(title|description|message|note|reason|comment)$/, 'What it is about'],
  [/^time_zone|timezone$/, 'UTC'],
];

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-03-14T09:26:53.000Z',
  date: '2026-03-14',
};

/** Example of a request body: the required fields, and those with their own example. */
export function exampleOfBody(fields: readonly FieldSpec[]): Schema {
  const shown = fields.filter(({ options, file }) => !file && isShown(options));
  return Object.fromEntries(shown.map((field) => [field.name, exampleOfField(field, [])]));
}

const isShown = ({ optional, example }: FieldOptions): boolean => !optional || example !== undefined;

function exampleOf(type: FieldClass, fields: readonly FieldSpec[], above: readonly FieldClass[]): Schema {
  const within = [...above, type];
  // The example of a hash that contains its own type would never end.
  const possible = fields.filter(({ nested }) => !nested || !within.includes(nested()));
  const shown = possible.filter(({ options }) => isShown(options));
  // If any one of several fields is enough, the first serves as the example.
  if (shown.length === 0) shown.push(...possible.slice(0, 1));
  return Object.fromEntries(shown.map((field) => [field.name, exampleOfField(field, within)]));
}

function exampleOfField(field: FieldSpec, above: readonly FieldClass[]): unknown {
  const { options, nested } = field;
  const schema = field.schema();
  if (options.example !== undefined) return options.example;
  if (!nested) return exampleOfSchema(field.name, schema, options.nullable === true);
  const one = exampleOf(nested(), fieldsOf(nested()), above);
  return schema['type'] === 'array' ? [one] : one;
}

function exampleOfSchema(name: string, schema: Schema, nullable: boolean): unknown {
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (schema['type']) {
    case 'string':
      return FORMATS[String(schema['format'])] ?? textFor(name);
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? Math.max(schema['minimum'], 1) : numberFor(name);
    case 'boolean':
      return false;
    case 'array':
      return listOf(name, schema['items'] as Schema);
    default:
      // For a field of any type, null is as good an example as any.
      return nullable ? null : {};
  }
}

function listOf(name: string, items: Schema): unknown[] {
  return 'type' in items ? [exampleOfSchema(name, items, false)] : [];
}

const textFor = (name: string): string =>
  TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? name.replaceAll('_', ' ');

const numberFor = (name: string): number =>
  /(^|_)access_level$/.test(name) ? 30 : /(^|_)id$/.test(name) ? 42 : 1;
