import { fieldsOf, isRequired, type FieldSpec } from '#kernel/http/fields/field-spec.js';
import { PageParams } from '#kernel/http/paging/page.params.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { schemaOfField, type Schema } from '../components/schemas.js';

/** A parameter in the path. */
export function pathParameter(
  name: string,
  fields: readonly FieldSpec[],
  { rule }: RouteDescription,
): Schema {
  const field = fields.find((one) => one.name === name);
  if (field) return { name, in: 'path', required: true, schema: schemaOfField(field) };
  const subject = rule?.project !== undefined ? 'project' : rule?.group !== undefined ? 'group' : 'record';
  return {
    name,
    in: 'path',
    required: true,
    description: `Id or URL-encoded path of the ${subject}`,
    schema: { type: ['integer', 'string'] },
  };
}

/** A parameter behind the path. */
export const queryParameter = (field: FieldSpec): Schema => {
  const schema = schemaOfField(field);
  const isList = schema['type'] === 'array';
  return {
    name: isList ? `${field.name}[]` : field.name,
    in: 'query',
    required: isRequired(field.options),
    schema,
    ...(field.nested ? { style: 'deepObject', explode: true } : {}),
  };
};

/** What every list takes, without that for which the route has a field of its own. */
export function pageParameters(given: readonly FieldSpec[]): Schema[] {
  const own = new Set(given.map((field) => field.name));
  return fieldsOf(PageParams)
    .filter((field) => !own.has(field.name))
    .map(queryParameter);
}
