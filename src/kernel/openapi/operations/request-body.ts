import type { FieldSpec } from '#kernel/http/fields/field-spec.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { exampleOfBody } from './body-example.js';
import { objectSchema, type Schema, type SchemaRegistry } from '../components/schemas.js';
import type { DocumentWords } from '../document-words.js';

/** What a request carries: fields, the parameters of a form, or whatever its handler makes of the bytes. */
export function requestBody(
  given: readonly FieldSpec[],
  { formBody, rawBody }: RouteDescription,
  schemas: SchemaRegistry,
  operationId: string,
  words: DocumentWords,
): Schema {
  if (given.length > 0) return { requestBody: body(given, schemas, operationId, words) };
  if (formBody) {
    const properties = Object.fromEntries(formBody.map((name) => [name, { type: 'string' }]));
    const schema = { type: 'object', properties };
    return { requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } } };
  }
  return rawBody ? { requestBody: { content: { '*/*': {} } } } : {};
}

/** The body of a request; the schema stands once, under the name of the operation, for every encoding. */
function body(
  fields: readonly FieldSpec[],
  schemas: SchemaRegistry,
  operationId: string,
  words: DocumentWords,
): Schema {
  const example = exampleOfBody(fields);
  const examples = Object.keys(example).length > 0 ? { examples: [example] } : {};
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  const content = { schema: schemas.put(name, { ...described(objectSchema(fields), words), ...examples }) };
  return {
    required: fields.some((field) => !field.options.optional),
    content: {
      // Files come in forms of parts alone.
      ...(fields.every(({ file }) => file)
        ? {}
        : { 'application/json': content, 'application/x-www-form-urlencoded': content }),
      'multipart/form-data': content,
    },
  };
}

/** The schema with words for the fields that have none of their own. */
function described(schema: Schema, { fields }: DocumentWords): Schema {
  const properties = Object.entries(schema['properties'] as Record<string, Schema>).map(
    ([name, field]): [string, Schema] => {
      const description = field['description'] ?? fields[name];
      return [name, description === undefined ? field : { ...field, description }];
    },
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}
