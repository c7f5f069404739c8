import type { ApiRequest } from '../request.js';
import { routesOf } from '../routes/find-route.js';

const METHODS = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Forms send nothing but GET and POST: those of pages name another method in their field `_method`. Only routes of pages have it;
 * the API hears the method that was sent. Gives a form that was posted the method that it names, where a page has a route for that.
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
