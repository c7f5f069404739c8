import type { Schema } from './schemas.js';
import { COMMON_FAILURES, sharedResponses } from '../operations/errors.js';

const PREFIX = '#/components/responses/';

/** Responses of an operation that others of its kind may also return, by the name of the component. */
function commonOf(responses: Schema, usual: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(responses).flatMap(([status, one]): [string, string][] => {
    const name = String((one as Schema)['$ref']).replace(PREFIX, '');
    if (COMMON_FAILURES.has(name)) return [[status, name]];
    // If the operation describes a usual status itself, its own text comes before the default.
    const otherwise = usual[status];
    return otherwise === undefined ? [] : [[status, otherwise]];
  });
}

/**
 * Combines several responses into one: its description lists each status, `x-statuses` does the same for
 * programs.
 */
function together(common: readonly (readonly [string, string])[]): Schema {
  const lines = common.map(
    ([status, name]) => `- ${status}: ${String(sharedResponses[name]?.['description'])}`,
  );
  const schemas = common.map(([, name]) => JSON.stringify(sharedResponses[name]?.['content']));
  const kinds = [...new Set(schemas)].map((text) => (JSON.parse(text) as Schema)['application/json']);
  const given = kinds.map((kind) => (kind as { schema: Schema }).schema);
  return {
    description: ['A failure that any request can run into:', ...lines].join('\n'),
    content: { 'application/json': { schema: given.length === 1 ? given[0] : { anyOf: given } } },
    'x-statuses': Object.fromEntries(common),
  };
}

/** What most operations of a kind have in common, by status. */
const USUAL: Readonly<Record<'ReadFailure' | 'WriteFailure', Readonly<Record<string, string>>>> = {
  ReadFailure: {
    400: 'BadRequest',
    401: 'Unauthorized',
    403: 'Forbidden',
    406: 'NotAcceptable',
    412: 'PreconditionFailed',
    414: 'AddressTooLong',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'Unavailable',
  },
  WriteFailure: {
    400: 'BadRequest',
    401: 'Unauthorized',
    403: 'Forbidden',
    406: 'NotAcceptable',
    408: 'RequestTimeout',
    409: 'Conflict',
    412: 'PreconditionFailed',
    413: 'TooLarge',
    414: 'AddressTooLong',
    415: 'UnsupportedMediaType',
    422: 'TooManyValues',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'Unavailable',
  },
};

/** `ReadFailure`, or `ReadFailure.NoSuchPage` if that may occur too, or `ReadFailure.no406`. */
function nameOf(kind: keyof typeof USUAL, common: readonly (readonly [string, string])[]): string {
  const usual = Object.entries(USUAL[kind]);
  const names = new Set(common.map(([, name]) => name));
  const more = [...names].filter((name) => !usual.some(([, one]) => one === name));
  const fewer = usual.filter(([, name]) => !names.has(name)).map(([status]) => `no${status}`);
  return [kind, ...more, ...fewer].join('.');
}

/**
 * Replaces the failures that depend only on the kind of a request by one `default` response, so that those
 * specific to an operation stand out. Returns these responses by name.
 */
export function foldCommonFailures(
  operations: readonly { readonly method: string; readonly operation: { responses: Schema } }[],
): Schema {
  const folded: Schema = {};
  for (const { method, operation } of operations) {
    const kind = method === 'GET' || method === 'HEAD' ? 'ReadFailure' : 'WriteFailure';
    const common = commonOf(operation.responses, USUAL[kind]);
    const name = nameOf(kind, common);
    folded[name] ??= together(common);
    const dropped = new Set(common.map(([, one]) => `${PREFIX}${one}`));
    const own = Object.entries(operation.responses).filter(
      ([, one]) => !dropped.has(String((one as Schema)['$ref'])),
    );
    operation.responses = { ...Object.fromEntries(own), default: { $ref: `${PREFIX}${name}` } };
  }
  return Object.fromEntries(Object.entries(folded).sort(([a], [b]) => (a < b ? -1 : 1)));
}
