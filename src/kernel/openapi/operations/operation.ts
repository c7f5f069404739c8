import { describeRule } from '#kernel/access/access.js';
import { fieldsOf } from '#kernel/http/fields/field-spec.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import type { Schema, SchemaRegistry } from '../components/schemas.js';
import { responsesOf } from './answers.js';
import { pageParameters, pathParameter, queryParameter } from './parameters.js';
import { requestBody } from './request-body.js';
import { securityOf, takesSudo } from './security.js';

/** One operation of the document, before what it shares with others is moved to the components. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  parameters: Schema[];
  responses: Schema;
}

/** A segment, or (with an asterisk) all that follows. */
const PATH_PARAMETER = /[:*](\w+)/g;

/** The path of a route as the document writes it. */
export const documentedPath = ({ path }: RouteDescription): string => path.replace(PATH_PARAMETER, '{$1}');

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

/** What a route takes and answers. */
export function operationOf(
  route: RouteDescription,
  schemas: SchemaRegistry,
  operationId: string,
): Operation {
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
