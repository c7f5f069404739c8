import type { Request } from 'express';
import { RouteTemplates } from '../routes/route-template.js';
import type { RouteDescription } from '../routes/route-list.js';

const METHODS = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Forms send nothing but GET and POST: those of pages name another method in their field `_method`. Only routes of pages have it;
 * the API hears the method that was sent.
 */
export class FormMethods {
  private pages = new RouteTemplates([]);

  /** Takes over the routes of an application. */
  learn(routes: readonly RouteDescription[]): void {
    this.pages = new RouteTemplates(routes.filter(({ rule }) => rule?.page !== undefined));
  }

  /** Gives a form that was posted the method that it names, where a page has a route for that. */
  apply(request: Request): void {
    if (request.method !== 'POST') return;
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null) return;
    const name = (body as Record<string, unknown>)['_method'];
    const method = typeof name === 'string' ? name.toUpperCase() : '';
    if (METHODS.has(method) && this.pages.include(request, method)) request.method = method;
  }
}
