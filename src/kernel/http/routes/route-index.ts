import type { RequestHandler } from 'express';
import type { RouteDescription } from './route-list.js';
import { PLAIN_FACTS, type FoundRoute, type Route } from './route.js';
import { SegmentTree } from './segment-tree.js';
import { Wildcards } from './wildcards.js';

/** Literal segments, parameters that extend to the end of their segment, and at most one wildcard. */
const TEMPLATE = /^(?!.*\*.*\*)(?:\/(?:[\w.~-]*:\w+|[\w.~-]+|\*\w+))+$|^\/$/;

const SUFFIX = '.json';

/**
 * All routes of an application. A request finds its own in one lookup by the segments of its path, instead of
 * trying each.
 */
export class RouteIndex {
  private readonly tree = new SegmentTree();
  private readonly wildcards = new Wildcards();
  private readonly routes = new Map<string, Route>();

  /** @throws Error for an invalid template, and for a duplicate route */
  add(method: string, path: string, handler: RequestHandler): void {
    if (!TEMPLATE.test(path)) throw new Error(`${method} ${path}: no template of a route`);
    const route: Route = { method, path, handler, facts: PLAIN_FACTS };
    const template = segmentsOf(path);
    if (path.includes('*')) this.wildcards.add(route, template);
    else this.tree.add(route, template);
    this.routes.set(`${method} ${path}`, route);
  }

  /**
   * Adds the metadata of decorators to the routes; call it once all are registered. @throws Error for an
   * unregistered one
   */
  describe(
    routes: readonly Pick<RouteDescription, 'method' | 'path' | 'rawBody' | 'longRunning' | 'rule'>[],
  ): void {
    for (const { method, path, rawBody, longRunning, rule } of routes) {
      const route = this.routes.get(`${method} ${path}`);
      if (!route) throw new Error(`${method} ${path} is declared, but was never registered`);
      route.facts = { rawBody, longRunning, isPage: rule?.page !== undefined };
    }
  }

  /** Finds the route of a request. @throws URIError for invalid escapes */
  find(method: string, path: string): FoundRoute | undefined {
    const sent = path.split('/');
    const segments = segmentsOf(path);
    return (
      this.tree.find(method, segments) ??
      this.wildcards.find(method, segments, sent) ??
      this.findSuffixed(method, segments)
    );
  }

  /** v4 accepts `.json` after the last word of a path. After a value it is a part of that, as in names of files. */
  private findSuffixed(method: string, segments: readonly string[]): FoundRoute | undefined {
    const last = segments.at(-1) ?? '';
    if (segments[1] !== 'api' || !last.endsWith(SUFFIX)) return undefined;
    const word = last.slice(0, -SUFFIX.length);
    const found = this.tree.find(method, [...segments.slice(0, -1), word]);
    return found?.route.path.endsWith(`/${word}`) ? found : undefined;
  }

  /** Methods of the routes that match a path, except those with a wildcard; empty if none does. */
  methodsOf(path: string): string[] {
    const methods = new Set(this.tree.methodsOf(segmentsOf(path)));
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }
}

/** The first segment is empty. A trailing slash is ignored. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
