import type { FieldSpec } from '#kernel/http/fields/field-spec.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { exampleOfBody } from './body-example.js';
import { objectSchema, type Schema, type SchemaRegistry } from '../components/schemas.js';
import type { DocumentWords } from '../document-texts.js';

/** Describes the content of a request: fields, the parameters of a form, or bytes that its handler reads. */
export function requestBody(
  given: readonly FieldSpec[],
  { formBody, rawBody }: RouteDescription,
  schemas: SchemaRegistry,
  operationId: string,
  words: DocumentWords,
): Schema {
  if (given.length > 0) return { requestBody: body(given, schemas, operationId, words) };
  if (formBody) {
    const of = schemaNameOf(operationId);
    const properties = Object.fromEntries(
      formBody.map((name) => [name, { type: 'string', description: words.fieldOf(of, name) }]),
    );
    const schema = { type: 'object', properties };
    return { requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } } };
  }
  return rawBody ? { requestBody: { content: { '*/*': {} } } } : {};
}

const schemaNameOf = (operationId: string): string =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;

/** Body of a request; the schema is included once, under the name of the operation, for every encoding. */
function body(
  fields: readonly FieldSpec[],
  schemas: SchemaRegistry,
  operationId: string,
  words: DocumentWords,
): Schema {
  const example = exampleOfBody(fields);
  const examples = Object.keys(example).length > 0 ? { examples: [example] } : {};
  const name = schemaNameOf(operationId);
  const schema = objectSchema(fields, (field) => words.fieldOf(name, field));
  const content = { schema: schemas.put(name, { ...schema, ...examples }) };
  return {
    required: fields.some((field) => !field.options.optional),
    content: {
      // Files are accepted in multipart forms only.
      ...(fields.every(({ file }) => file)
        ? {}
        : { 'application/json': content, 'application/x-www-form-urlencoded': content }),
      'multipart/form-data': content,
    },
  };
}
