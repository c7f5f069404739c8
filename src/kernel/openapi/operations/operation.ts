import { fieldsOf } from '#kernel/http/fields/field-spec.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import type { Schema, SchemaRegistry } from '../components/schemas.js';
import type { DocumentWords } from '../document-texts.js';
import { accessInWords } from './access-texts.js';
import { responsesOf } from './answers.js';
import { pageParameters, pathParameter, queryParameter } from './parameters.js';
import { requestBody } from './request-body.js';
import { securityOf, takesSudo } from './security.js';

/** An operation of the document, before its shared parts are moved to the components. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  parameters: Schema[];
  requestBody?: Schema;
  responses: Schema;
}

/** A segment, or (with an asterisk) the whole rest. */
const PATH_PARAMETER = /[:*](\w+)/g;

/** The path of a route in the format of the document. */
export const documentedPath = ({ path }: RouteDescription): string => path.replace(PATH_PARAMETER, '{$1}');

/** Describes the parameters and responses of a route. */
export function operationOf(
  route: RouteDescription,
  schemas: SchemaRegistry,
  words: DocumentWords,
): Operation {
  const { rule, method } = route;
  const names = new Set([...route.path.matchAll(PATH_PARAMETER)].map((match) => match[1] as string));
  const fields = route.params ? fieldsOf(route.params) : [];
  for (const { nested } of fields) if (nested) schemas.refer(nested());
  const given = fields.filter((field) => !names.has(field.name));
  const inBody = method !== 'GET' && method !== 'DELETE';
  const security = rule?.page === undefined ? securityOf(rule) : [{}];
  const { id, summary } = words.operationOf(route);
  return {
    operationId: id,
    summary,
    tags: [words.areaOf(route)],
    ...(route.isDeprecated ? { deprecated: true } : {}),
    ...(rule ? { description: accessInWords(rule) } : {}),
    ...(security ? { security } : {}),
    parameters: [
      ...[...names].map((name) => pathParameter(name, fields, route, words)),
      ...(inBody ? [] : given.map((field) => queryParameter(field, route, words))),
      ...(route.isPaged ? pageParameters(given, route, words) : []),
      ...(takesSudo(rule) && rule?.page === undefined ? [{ $ref: '#/components/parameters/Sudo' }] : []),
    ],
    ...(inBody ? requestBody(given, route, schemas, id, words) : {}),
    responses: responsesOf(route, schemas),
  };
}
