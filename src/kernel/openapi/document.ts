import { describeRule } from '#kernel/access/access.js';
import { fieldsOf, isRequired, type FieldSpec } from '#kernel/http/fields/field-spec.js';
import { PageParams } from '#kernel/http/paging/page-params.js';
import type { RouteDescription } from '#kernel/http/route-list.js';
import { errorResponses, errorSchemas } from './errors.js';
import { exampleOfBody } from './examples.js';
import { objectSchema, schemaOfField, SchemaRegistry, type Schema } from './schemas.js';

/** What the document says of itself. */
export interface DocumentInfo {
  readonly version: string;
  readonly server: string;
}

/** A segment, or (with an asterisk) all that follows. */
const PATH_PARAMETER = /[:*](\w+)/g;

/** Writes the OpenAPI 3.1 document of all routes below /api/v4 out of what their decorators say. */
export function openApiDocument(routes: readonly RouteDescription[], info: DocumentInfo): Schema {
  const schemas = new SchemaRegistry();
  const paths: Record<string, Record<string, Schema>> = {};
  const tags = new Set<string>();
  const ids = new Map<string, number>();
  for (const route of routes) {
    if (!route.path.startsWith('/api/v4/') || route.rule?.credential === 'operator') continue;
    const path = route.path.replace(PATH_PARAMETER, '{$1}');
    tags.add(tagOf(route));
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route, schemas, idOf(route, ids));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forgeplane',
      version: info.version,
      description: 'Project automation and administration REST API, version 4.',
    },
    servers: [{ url: info.server }],
    security: [{ privateToken: [] }, { bearer: [] }],
    tags: [...tags].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...errorSchemas, ...schemas.all() },
      securitySchemes: {
        privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

/** `ResourceTokens` as "Resource tokens". */
function wordsOf(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return (
    words.charAt(0).toUpperCase() +
    words
      .slice(1)
      .toLowerCase()
      .replace(/\bapi\b/, 'API')
  );
}

/** One tag for each module. */
const tagOf = ({ area }: RouteDescription): string => wordsOf(area);

/** `GroupMembersController.listAll` as "Group members: list all". */
const summaryOf = ({ controller, handler }: RouteDescription): string =>
  `${wordsOf(controller.replace(/Controller$/, ''))}: ${wordsOf(handler).toLowerCase()}`;

/** The handler's name; that of a further path to the same handler is numbered. */
function idOf({ controller, handler }: RouteDescription, used: Map<string, number>): string {
  const id = `${controller.replace(/Controller$/, '')}_${handler}`;
  const times = (used.get(id) ?? 0) + 1;
  used.set(id, times);
  return times === 1 ? id : `${id}_${times}`;
}

function operation(route: RouteDescription, schemas: SchemaRegistry, operationId: string): Schema {
  const { rule, method } = route;
  const names = new Set([...route.path.matchAll(PATH_PARAMETER)].map((match) => match[1] as string));
  const fields = route.params ? fieldsOf(route.params) : [];
  for (const { nested } of fields) if (nested) schemas.refer(nested());
  const given = fields.filter((field) => !names.has(field.name));
  const inBody = method !== 'GET' && method !== 'DELETE';
  return {
    operationId,
    summary: summaryOf(route),
    tags: [tagOf(route)],
    ...(route.isDeprecated ? { deprecated: true } : {}),
    ...(rule ? { description: `Access: ${describeRule(rule)}` } : {}),
    ...(rule?.anyone ? { security: [{}, { privateToken: [] }, { bearer: [] }] } : {}),
    parameters: [
      ...[...names].map((name) => pathParameter(name, fields, route)),
      ...(inBody ? [] : given.map(queryParameter)),
      ...(route.isPaged ? pageParameters(given) : []),
    ],
    ...(inBody && given.length > 0 ? { requestBody: body(given, route, schemas) } : {}),
    responses: { ...success(route, schemas), ...errorResponses(route) },
  };
}

function pathParameter(name: string, fields: readonly FieldSpec[], { rule }: RouteDescription): Schema {
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

const queryParameter = (field: FieldSpec): Schema => {
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

function pageParameters(given: readonly FieldSpec[]): Schema[] {
  const own = new Set(given.map((field) => field.name));
  return fieldsOf(PageParams)
    .filter((field) => !own.has(field.name))
    .map(queryParameter);
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
      'application/json': content,
      'application/x-www-form-urlencoded': content,
      'multipart/form-data': content,
    },
  };
}

function success({ answer, isPaged }: RouteDescription, schemas: SchemaRegistry): Schema {
  const status = String(answer?.status ?? 200);
  if (!answer?.record) return { [status]: { description: answer?.description ?? 'Done' } };
  const record = schemas.refer(answer.record);
  const list = { type: 'array', items: record };
  const schema = answer.orOne ? { oneOf: [list, record] } : answer.list ? list : record;
  const link = { Link: { description: 'Pages around this one (RFC 8288)', schema: { type: 'string' } } };
  return {
    [status]: {
      description: answer.description ?? (answer.list ? 'A page of the list' : 'The record'),
      ...(isPaged ? { headers: link } : {}),
      content: { 'application/json': { schema } },
    },
    ...(answer.other
      ? {
          [String(answer.other.status)]: {
            description: answer.other.description,
            content: { 'application/json': { schema: schemas.refer(answer.other.record) } },
          },
        }
      : {}),
  };
}
