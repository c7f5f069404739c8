import type { Schema } from './schemas.js';
import { COMMON_FAILURES, sharedResponses } from '../operations/errors.js';

const PREFIX = '#/components/responses/';

/** What an operation answers that any other one may answer as well, by the name of the component. */
function commonOf(responses: Schema): [status: string, name: string][] {
  return Object.entries(responses).flatMap(([status, one]): [string, string][] => {
    const name = String((one as Schema)['$ref']).replace(PREFIX, '');
    return COMMON_FAILURES.has(name) ? [[status, name]] : [];
  });
}

/** One answer that stands for several: its description names each status, `x-statuses` says the same for programs. */
function together(common: readonly (readonly [string, string])[]): Schema {
  const lines = common.map(
    ([status, name]) => `- ${status}: ${String(sharedResponses[name]?.['description'])}`,
  );
  const schemas = common.map(([, name]) => JSON.stringify(sharedResponses[name]?.['content']));
  const kinds = [...new Set(schemas)].map((text) => (JSON.parse(text) as Schema)['application/json']);
  const given = kinds.map((kind) => (kind as { schema: Schema }).schema);
  return {
    description: ['A failure that any request may meet:', ...lines].join('\n'),
    content: { 'application/json': { schema: given.length === 1 ? given[0] : { anyOf: given } } },
    'x-statuses': Object.fromEntries(common),
  };
}

/**
 * Lets one `default` answer stand for the failures that nearly every operation shares, so that what is particular to one is seen. Returns
 * these answers by name: one for reading and one for writing, and those of the few that lack a failure.
 */
export function foldCommonFailures(
  operations: readonly { readonly method: string; readonly operation: { responses: Schema } }[],
): Schema {
  const names = new Map<string, string>();
  const folded: Schema = {};
  for (const { method, operation } of operations) {
    const common = commonOf(operation.responses);
    const key = JSON.stringify(common);
    let name = names.get(key);
    if (name === undefined) {
      const base = method === 'GET' ? 'ReadFailure' : 'WriteFailure';
      const times = Object.keys(folded).filter((one) => one.startsWith(base)).length;
      name = times === 0 ? base : `${base}${times + 1}`;
      names.set(key, name);
      folded[name] = together(common);
    }
    const dropped = new Set(common.map(([status]) => status));
    const own = Object.entries(operation.responses).filter(([status]) => !dropped.has(status));
    operation.responses = { ...Object.fromEntries(own), default: { $ref: `${PREFIX}${name}` } };
  }
  return folded;
}
