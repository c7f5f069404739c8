import type { ApiRequest } from '../request.js';
import { routesOf } from '../routes/find-route.js';

const METHODS = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Applies the method named in the field `_method` of a posted form, if a page has a route for it. HTML forms can only send GET and POST;
 * routes of the API ignore the field.
 */
export function applyFormMethod(request: ApiRequest): void {
  if (request.method !== 'POST') return;
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null) return;
  const { _method: name } = body as Record<string, unknown>;
  const method = typeof name === 'string' ? name.toUpperCase() : '';
  if (!METHODS.has(method)) return;
  const found = routesOf(request).find(method, request.path);
  if (!found?.route.facts.isPage) return;
  request.method = method;
  request.found = found;
}
