import type { RequestHandler } from 'express';
import type { RouteDescription } from './route-list.js';
import { PLAIN_FACTS, type FoundRoute, type Route } from './route.js';
import { SegmentTree } from './segment-tree.js';
import { Wildcards } from './wildcards.js';

/** Literal segments, parameters that go to the end of their segment, and one wildcard at most. */
const TEMPLATE = /^(?!.*\*.*\*)(?:\/(?:[\w.~-]*:\w+|[\w.~-]+|\*\w+))+$|^\/$/;

/** All routes of an application. A request looks its own up once, by the segments of its path, instead of trying each. */
export class RouteIndex {
  private readonly tree = new SegmentTree();
  private readonly wildcards = new Wildcards();
  private readonly routes = new Map<string, Route>();

  /** @throws Error for a template that it cannot read, and for a route that is there already */
  add(method: string, path: string, handler: RequestHandler): void {
    if (!TEMPLATE.test(path)) throw new Error(`${method} ${path}: no template of a route`);
    const route: Route = { method, path, handler, facts: PLAIN_FACTS };
    const template = segmentsOf(path);
    if (path.includes('*')) this.wildcards.add(route, template);
    else this.tree.add(route, template);
    this.routes.set(`${method} ${path}`, route);
  }

  /** Takes over what decorators say of routes; call it once all are registered. @throws Error for one that is not */
  describe(
    routes: readonly Pick<RouteDescription, 'method' | 'path' | 'rawBody' | 'longRunning' | 'rule'>[],
  ): void {
    for (const { method, path, rawBody, longRunning, rule } of routes) {
      const route = this.routes.get(`${method} ${path}`);
      if (!route) throw new Error(`${method} ${path} is declared, but was never registered`);
      route.facts = { rawBody, longRunning, isPage: rule?.page !== undefined };
    }
  }

  /** The route of a request. @throws URIError for escapes that mean nothing */
  find(method: string, path: string): FoundRoute | undefined {
    const sent = path.split('/');
    const segments = segmentsOf(path);
    return this.tree.find(method, segments) ?? this.wildcards.find(method, segments, sent);
  }

  /** Methods of the routes that fit a path, those with a wildcard aside; empty when none does. */
  methodsOf(path: string): string[] {
    const methods = new Set(this.tree.methodsOf(segmentsOf(path)));
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }
}

/** The first of them is empty. A slash at the end means nothing. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
