import type { ApiClient } from './client.js';

type Json = Record<string, unknown>;

const SCHEMAS = '#/components/schemas/';

/** Resolves a reference; schemas keep theirs, since they may be recursive. */
function resolved(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Json;
  if (typeof $ref === 'string' && !$ref.startsWith(SCHEMAS)) {
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document);
    if (target === undefined) throw new Error(`${$ref} leads nowhere`);
    return resolved(target, document);
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, document)]));
}

/** The statuses of a `default` response, each with its named response. */
function unfolded(responses: Json, document: Json): Json {
  const { default: folded, ...own } = responses;
  const statuses = ((folded as Json | undefined)?.['x-statuses'] ?? {}) as Record<string, string>;
  const named = Object.entries(statuses).map(([status, name]) => [
    status,
    resolved({ $ref: `#/components/responses/${name}` }, document),
  ]);
  return { ...(Object.fromEntries(named) as Json), ...own };
}

/**
 * A document whose operations contain their parameters and responses themselves, each failure by its status.
 */
export function resolveDocument(document: Json): Json {
  const { paths, ...whole } = resolved(document, document) as { paths: Record<string, Record<string, Json>> };
  const items = Object.entries(paths).map(([path, { parameters: common, ...operations }]) => {
    const own = Object.entries(operations).map(([method, { parameters, responses, ...operation }]) => [
      method,
      {
        ...operation,
        parameters: [...((common ?? []) as unknown as Json[]), ...((parameters ?? []) as Json[])],
        responses: unfolded(responses as Json, document),
      },
    ]);
    return [path, Object.fromEntries(own) as Json];
  });
  return { ...whole, paths: Object.fromEntries(items) as Json };
}

/** Returns the document of a service, without references to parameters and responses. */
export const readDocument = async <Document>(client: ApiClient): Promise<Document> =>
  resolveDocument((await client.get<Json>('/openapi.json')).body) as Document;
