import { describeRule } from '#kernel/access/access.js';
import { fieldsOf, type FieldSpec } from '#kernel/http/field-spec.js';
import { PageParams } from '#kernel/http/page-params.js';
import type { RouteDescription } from '#kernel/http/route-list.js';
import { errorResponses, errorSchemas } from './errors.js';
import { schemaOfField, SchemaRegistry, type Schema } from './schemas.js';

/** What the document says of itself. */
export interface DocumentInfo {
  readonly version: string;
  readonly server: string;
}

const PATH_PARAMETER = /:(\w+)/g;

/** Writes the OpenAPI 3.1 document of all routes below /api/v4 out of what their decorators say. */
export function openApiDocument(routes: readonly RouteDescription[], info: DocumentInfo): Schema {
  const schemas = new SchemaRegistry();
  const paths: Record<string, Record<string, Schema>> = {};
  const tags = new Set<string>();
  for (const route of routes) {
    if (!route.path.startsWith('/api/v4/') || route.rule?.credential === 'operator') continue;
    const path = route.path.replace(PATH_PARAMETER, '{$1}');
    tags.add(tagOf(route));
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route, schemas);
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

/** One tag for each module: `ResourceTokensModule` is shown as "Resource tokens". */
function tagOf({ area }: RouteDescription): string {
  const words = area.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return words.charAt(0) + words.slice(1).toLowerCase();
}

function operation(route: RouteDescription, schemas: SchemaRegistry): Schema {
  const { rule, method } = route;
  const names = new Set([...route.path.matchAll(PATH_PARAMETER)].map((match) => match[1] as string));
  const fields = route.params ? fieldsOf(route.params) : [];
  for (const { nested } of fields) if (nested) schemas.refer(nested());
  const given = fields.filter((field) => !names.has(field.name));
  const inBody = method !== 'GET' && method !== 'DELETE';
  return {
    operationId: `${route.controller.replace(/Controller$/, '')}_${route.handler}`,
    tags: [tagOf(route)],
    ...(rule ? { description: `Access: ${describeRule(rule)}` } : {}),
    ...(rule?.anyone ? { security: [{}, { privateToken: [] }, { bearer: [] }] } : {}),
    parameters: [
      ...[...names].map((name) => pathParameter(name, fields)),
      ...(inBody ? [] : given.map(queryParameter)),
      ...(route.isPaged ? pageParameters(given) : []),
    ],
    ...(inBody && given.length > 0 ? { requestBody: body(given) } : {}),
    responses: { ...success(route, schemas), ...errorResponses(route) },
  };
}

function pathParameter(name: string, fields: readonly FieldSpec[]): Schema {
  const field = fields.find((one) => one.name === name);
  const schema = field ? schemaOfField(field) : { type: ['integer', 'string'] };
  return { name, in: 'path', required: true, schema };
}

const queryParameter = (field: FieldSpec): Schema => {
  const schema = schemaOfField(field);
  const isList = schema['type'] === 'array';
  return {
    name: isList ? `${field.name}[]` : field.name,
    in: 'query',
    required: !field.options.optional,
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

function body(fields: readonly FieldSpec[]): Schema {
  const required = fields.filter((field) => !field.options.optional).map((field) => field.name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
  const content = { schema };
  return {
    required: required.length > 0,
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
  const schema = answer.list ? { type: 'array', items: record } : record;
  const link = { Link: { description: 'Pages around this one (RFC 8288)', schema: { type: 'string' } } };
  return {
    [status]: {
      description: answer.description ?? (answer.list ? 'A page of the list' : 'The record'),
      ...(isPaged ? { headers: link } : {}),
      content: { 'application/json': { schema } },
    },
  };
}
