import { describeRule } from '#kernel/access/access.js';
import { fieldsOf, isRequired, type FieldSpec } from '#kernel/http/fields/field-spec.js';
import { PageParams } from '#kernel/http/paging/page.params.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { responsesOf } from './answers.js';
import { errorSchemas, sharedResponses } from './errors.js';
import { exampleOfBody } from './examples.js';
import { DEFAULT_SECURITY, securityOf, securitySchemes, SUDO, takesSudo } from './security.js';
import { objectSchema, schemaOfField, SchemaRegistry, type Schema } from './schemas.js';

/** What the document says of itself. */
export interface DocumentInfo {
  readonly version: string;
  readonly server: string;
}

/** A segment, or (with an asterisk) all that follows. */
const PATH_PARAMETER = /[:*](\w+)/g;

/** Who calls with these credentials is a program, wherever the route lies. */
const OF_PROGRAMS = new Set(['oauth', 'alert-key', 'dsn']);

/** Everything below /api/v4, and what else programs call; pages, probes and git are none of it. */
export const isDocumented = ({ path, method, rule }: RouteDescription): boolean =>
  path.startsWith('/api/v4/')
    ? rule?.credential !== 'operator'
    : OF_PROGRAMS.has(rule?.credential ?? '') || (path === '/oauth/authorize' && method === 'GET');

/** Writes the OpenAPI 3.1 document of all routes for programs out of what their decorators say. */
export function openApiDocument(routes: readonly RouteDescription[], info: DocumentInfo): Schema {
  const schemas = new SchemaRegistry();
  const paths: Record<string, Record<string, Schema>> = {};
  const tags = new Set<string>();
  const ids = new Map<string, number>();
  for (const route of routes) {
    if (!isDocumented(route)) continue;
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
    security: DEFAULT_SECURITY,
    tags: [...tags].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...errorSchemas, ...schemas.all() },
      responses: sharedResponses,
      parameters: { Sudo: SUDO },
      securitySchemes: securitySchemes(info.server),
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
  const security = rule?.page === undefined ? securityOf(rule) : [{}];
  return {
    operationId,
    summary: summaryOf(route),
    tags: [tagOf(route)],
    ...(route.isDeprecated ? { deprecated: true } : {}),
    ...(rule ? { description: `Access: ${describeRule(rule)}` } : {}),
    ...(security ? { security } : {}),
    parameters: [
      ...[...names].map((name) => pathParameter(name, fields, route)),
      ...(inBody ? [] : given.map(queryParameter)),
      ...(route.isPaged ? pageParameters(given) : []),
      ...(takesSudo(rule) && rule?.page === undefined ? [{ $ref: '#/components/parameters/Sudo' }] : []),
    ],
    ...(inBody ? requestBody(given, route, schemas) : {}),
    responses: responsesOf(route, schemas),
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

/** What a request carries: fields, the parameters of a form, or whatever its handler makes of the bytes. */
function requestBody(given: readonly FieldSpec[], route: RouteDescription, schemas: SchemaRegistry): Schema {
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
