import type { FieldSpec } from '#kernel/http/fields/field-spec.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { exampleOfBody } from '../components/examples.js';
import { objectSchema, type Schema, type SchemaRegistry } from '../components/schemas.js';

/** What a request carries: fields, the parameters of a form, or whatever its handler makes of the bytes. */
export function requestBody(
  given: readonly FieldSpec[],
  route: RouteDescription,
  schemas: SchemaRegistry,
): Schema {
  if (given.length > 0) return { requestBody: body(given, route, schemas) };
  if (route.formBody) {
    const properties = Object.fromEntries(route.formBody.map((name) => [name, { type: 'string' }]));
    const schema = { type: 'object', properties };
    return { requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } } };
  }
  return route.rawBody ? { requestBody: { content: { '*/*': {} } } } : {};
}

/** The body of a request; the schema stands once, under the name of the route's handler, for every encoding. */
function body(
  fields: readonly FieldSpec[],
  { controller, handler }: RouteDescription,
  schemas: SchemaRegistry,
): Schema {
  const example = exampleOfBody(fields);
  const examples = Object.keys(example).length > 0 ? { examples: [example] } : {};
  const name = `${controller.replace(/Controller$/, '')}${handler.charAt(0).toUpperCase()}${handler.slice(1)}Request`;
  const content = { schema: schemas.put(name, { ...objectSchema(fields), ...examples }) };
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
