import { fieldsOf, isRequired, type FieldSpec } from '#kernel/http/fields/field-spec.js';
import { PageParams } from '#kernel/http/paging/page.params.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { schemaOfField, type Schema } from '../components/schemas.js';
import type { DocumentWords } from '../document-texts.js';

/** Describes a parameter by its field; description and deprecation are next to its schema, not in it. */
function parameter(
  location: 'path' | 'query',
  name: string,
  field: Schema,
  otherwise: string | undefined,
): Schema {
  const { description, deprecated, ...schema } = field;
  return {
    name,
    in: location,
    required: location === 'path',
    description: description ?? otherwise,
    ...(deprecated ? { deprecated } : {}),
    schema,
  };
}

/** Describes a path parameter. */
export function pathParameter(
  name: string,
  fields: readonly FieldSpec[],
  { rule, path }: RouteDescription,
  words: DocumentWords,
): Schema {
  const field = fields.find((one) => one.name === name);
  if (field) return parameter('path', name, schemaOfField(field), words.parameterOf('path', name, path));
  const subject = rule?.project !== undefined ? 'project' : rule?.group !== undefined ? 'group' : 'record';
  const schema = { type: ['integer', 'string'] };
  return parameter('path', name, schema, `Id or URL-encoded path of the ${subject}`);
}

/** Describes a query parameter. */
export function queryParameter(field: FieldSpec, { path }: RouteDescription, words: DocumentWords): Schema {
  const schema = schemaOfField(field);
  const name = schema['type'] === 'array' ? `${field.name}[]` : field.name;
  return {
    ...parameter('query', name, schema, words.parameterOf('query', field.name, path)),
    required: isRequired(field.options),
    ...(field.nested ? { style: 'deepObject', explode: true } : {}),
  };
}

/** Parameters of every list, except those for which the route has a field of its own. */
export function pageParameters(
  given: readonly FieldSpec[],
  route: RouteDescription,
  words: DocumentWords,
): Schema[] {
  const own = new Set(given.map((field) => field.name));
  return fieldsOf(PageParams)
    .filter((field) => !own.has(field.name))
    .map((field) => queryParameter(field, route, words));
}
