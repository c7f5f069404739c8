import { parse as parseFlat } from 'node:querystring';
import qs from 'qs';
import { isPlainObject } from '../plain-object.js';
import { numberHashes } from './form-lists.js';

/** Limits of parameters in query strings and forms; further parameters and deeper levels are ignored. */
export const QUERY_LIMITS = {
  depth: 6,
  arrayLimit: 1000,
  parameterLimit: 2000,
  allowPrototypes: false,
} as const;

const BRACKET = /\[|%5b/i;

/** Parses a query string: `a=1`, `a[]=1`, `a[b]=1`, `a[0][b]=1`. Uses the faster parser of Node if it has no brackets. */
export function parseQuery(text: string): Record<string, unknown> {
  if (BRACKET.test(text)) return unwrapped(qs.parse(numberHashes(text), QUERY_LIMITS));
  return parseFlat(text, '&', '=', { maxKeys: QUERY_LIMITS.parameterLimit });
}

/** Accepts parameters as gitbeaker 43 sends them for group activity (`search_params[group_path]=...`), as if they had no wrapper. */
function unwrapped({ search_params: wrapped, ...query }: Record<string, unknown>): Record<string, unknown> {
  if (!isPlainObject(wrapped)) return wrapped === undefined ? query : { ...query, search_params: wrapped };
  return { ...wrapped, ...query };
}

/** Parses `request.query` of an Express application once per request, on first use. */
export function parseQueriesOnce(requestPrototype: object): void {
  Object.defineProperty(requestPrototype, 'query', {
    configurable: true,
    get(this: { url: string }) {
      const question = this.url.indexOf('?');
      const value = question < 0 ? {} : parseQuery(this.url.slice(question + 1));
      Object.defineProperty(this, 'query', { value, configurable: true, enumerable: true, writable: true });
      return value;
    },
  });
}
