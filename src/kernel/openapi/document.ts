import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { foldCommonFailures } from './components/common-failures.js';
import { SchemaRegistry, type Schema } from './components/schemas.js';
import { withSharedBodies } from './components/shared-bodies.js';
import { sharedParts } from './components/shared-parts.js';
import { sharedHeaders } from './operations/answers.js';
import { errorSchemas, sharedResponses } from './operations/errors.js';
import type { DocumentWords } from './document-texts.js';
import { documentedPath, operationOf, type Operation } from './operations/operation.js';
import { DEFAULT_SECURITY, securitySchemes, SUDO } from './operations/security.js';

/** General information of the document. */
export interface DocumentInfo {
  readonly version: string;
  readonly server: string;
}

/** Routes with these credentials are called by programs, on any path. */
const OF_PROGRAMS = new Set(['oauth', 'ignored', 'alert-key', 'dsn']);

/** Everything below /api/v4, and what else programs call; not pages, probes and git. */
export const isDocumented = ({ path, method, rule }: RouteDescription): boolean =>
  path.startsWith('/api/v4/')
    ? rule?.credential !== 'operator'
    : OF_PROGRAMS.has(rule?.credential ?? '') || (path === '/oauth/authorize' && method === 'GET');

/** Generates the OpenAPI 3.1 document of all routes for programs from their decorators. */
export function openApiDocument(
  routes: readonly RouteDescription[],
  info: DocumentInfo,
  words: DocumentWords,
): Schema {
  const schemas = new SchemaRegistry(words);
  const operations = routes.filter(isDocumented).map((route) => ({
    path: documentedPath(route),
    method: route.method,
    operation: operationOf(route, schemas, words),
  }));
  const failures = foldCommonFailures(operations);
  const described = operations.map(({ operation }) => operation);
  const schemasByName = withSharedBodies(schemas.all(), described);
  const parts = sharedParts(described, {
    parameters: { Sudo: SUDO },
    responses: { ...sharedResponses, ...failures },
  });
  const tags = new Set<string>(described.flatMap(({ tags: given }) => given));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forgeplane',
      version: info.version,
      description: 'Project automation and administration REST API, version 4.',
    },
    servers: [{ url: info.server }],
    security: DEFAULT_SECURITY,
    tags: Object.entries(words.areas)
      .filter(([name]) => tags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: pathsOf(operations),
    components: {
      schemas: { ...errorSchemas, ...schemasByName },
      ...parts,
      headers: sharedHeaders,
      securitySchemes: securitySchemes(info.server),
    },
  };
}

/**
 * The paths with their operations; parameters shared by all operations of a path are listed with the path.
 */
function pathsOf(
  operations: readonly { readonly path: string; readonly method: string; readonly operation: Operation }[],
): Schema {
  const paths = new Map<string, [string, Operation][]>();
  for (const { path, method, operation } of operations)
    paths.set(path, [...(paths.get(path) ?? []), [method.toLowerCase(), operation]]);
  return Object.fromEntries([...paths].map(([path, own]) => [path, pathItem(own)]));
}

function pathItem(operations: readonly (readonly [string, Operation])[]): Schema {
  const [[, first]] = operations as [[string, Operation]];
  const taken = operations.map(([, { parameters }]) => new Set(parameters.map((one) => JSON.stringify(one))));
  const common = new Set(
    first.parameters.map((one) => JSON.stringify(one)).filter((one) => taken.every((all) => all.has(one))),
  );
  for (const [, operation] of operations)
    operation.parameters = operation.parameters.filter((one) => !common.has(JSON.stringify(one)));
  return {
    ...(common.size > 0 ? { parameters: [...common].map((one) => JSON.parse(one) as Schema) } : {}),
    ...Object.fromEntries(
      operations.map(([method, { parameters, ...operation }]) => [
        method,
        parameters.length > 0 ? { ...operation, parameters } : operation,
      ]),
    ),
  };
}
