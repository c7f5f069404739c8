import { parse as parseFlat } from 'node:querystring';
import qs from 'qs';
import { numberHashes } from './form-lists.js';

/** Bounds of parameters in query strings and forms: more are ignored, as deeper nesting is. */
export const QUERY_LIMITS = {
  depth: 6,
  arrayLimit: 1000,
  parameterLimit: 2000,
  allowPrototypes: false,
} as const;

const BRACKET = /\[|%5b/i;

/** Reads a query string: `a=1`, `a[]=1`, `a[b]=1`, `a[0][b]=1`. Most have no brackets, and are read by Node's own quick parser. */
export function parseQuery(text: string): Record<string, unknown> {
  if (BRACKET.test(text)) return unwrapped(qs.parse(numberHashes(text), QUERY_LIMITS));
  return parseFlat(text, '&', '=', { maxKeys: QUERY_LIMITS.parameterLimit });
}

/** gitbeaker 43 sends the parameters of some calls (those of group activity) as `search_params[group_path]=...`: they count as sent plainly. */
function unwrapped({ search_params: wrapped, ...query }: Record<string, unknown>): Record<string, unknown> {
  if (typeof wrapped !== 'object' || wrapped === null || Array.isArray(wrapped))
    return wrapped === undefined ? query : { ...query, search_params: wrapped };
  return { ...wrapped, ...query };
}

/** Makes `request.query` of an Express application be parsed once a request, when it is first asked for. */
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
