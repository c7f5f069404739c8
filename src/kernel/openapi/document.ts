import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { foldCommonFailures } from './components/common-failures.js';
import { SchemaRegistry, type Schema } from './components/schemas.js';
import { sharedParts } from './components/shared-parts.js';
import { sharedHeaders } from './operations/answers.js';
import { errorSchemas, sharedResponses } from './operations/errors.js';
import { documentedPath, operationOf, type Operation } from './operations/operation.js';
import { DEFAULT_SECURITY, securitySchemes, SUDO } from './operations/security.js';

/** What the document says of itself. */
export interface DocumentInfo {
  readonly version: string;
  readonly server: string;
}

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
  const ids = new Map<string, number>();
  const operations = routes.filter(isDocumented).map((route) => ({
    path: documentedPath(route),
    method: route.method,
    operation: operationOf(route, schemas, idOf(route, ids)),
  }));
  const failures = foldCommonFailures(operations);
  const parts = sharedParts(
    operations.map(({ operation }) => operation),
    { parameters: { Sudo: SUDO }, responses: { ...sharedResponses, ...failures } },
  );
  const tags = new Set(operations.flatMap(({ operation }) => operation.tags));
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
    paths: pathsOf(operations),
    components: {
      schemas: { ...errorSchemas, ...schemas.all() },
      ...parts,
      headers: sharedHeaders,
      securitySchemes: securitySchemes(info.server),
    },
  };
}

function pathsOf(
  operations: readonly { readonly path: string; readonly method: string; readonly operation: Operation }[],
): Schema {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { path, method, operation } of operations)
    (paths[path] ??= {})[method.toLowerCase()] = operation;
  return paths;
}

/** The handler's name; that of a further path to the same handler is numbered. */
function idOf({ controller, handler }: RouteDescription, used: Map<string, number>): string {
  const id = `${controller.replace(/Controller$/, '')}_${handler}`;
  const times = (used.get(id) ?? 0) + 1;
  used.set(id, times);
  return times === 1 ? id : `${id}_${times}`;
}
