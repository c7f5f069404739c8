import type { INestApplication } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { listRoutes, type RouteDescription } from '#kernel/http/routes/route-list.js';
import type { ApiAdapter } from '#kernel/http/adapter.js';
import type { RouteIndex } from '#kernel/http/routes/route-index.js';
import { responsesOf } from '#kernel/openapi/operations/answers.js';
import { isDocumented } from '#kernel/openapi/document.js';
import { SchemaRegistry } from '#kernel/openapi/components/schemas.js';

/** A request with its route, or one that was refused before routing. */
type RoutedRequest = IncomingMessage & {
  readonly route?: { readonly method: string; readonly path: string };
};

/** A route, and the statuses that its document declares. */
class WatchedRoute {
  private statuses: ReadonlySet<string> | undefined;

  constructor(readonly route: RouteDescription) {}

  documents(status: number): boolean {
    this.statuses ??= new Set(Object.keys(responsesOf(this.route, new SchemaRegistry())));
    return this.statuses.has(String(status));
  }
}

/**
 * Checks every response of a service, to any client: its status must be declared in the API document for the
 * route.
 */
export class StatusWatch {
  private readonly routes: ReadonlyMap<string, WatchedRoute>;
  private readonly index: RouteIndex;
  private problems: string[] = [];

  constructor(app: INestApplication) {
    const documented = listRoutes(app).filter(isDocumented);
    this.routes = new Map(
      documented.map((route) => [`${route.method} ${route.path}`, new WatchedRoute(route)]),
    );
    this.index = (app.getHttpAdapter() as ApiAdapter).routes;
    const server = app.getHttpServer() as Server;
    server.prependListener('request', (request, response) => this.watch(request, response));
  }

  /** Fails for each status since the last call that the document does not declare. */
  assertDocumented(): void {
    const { problems } = this;
    this.problems = [];
    if (problems.length > 0) throw new Error(problems.join('; '));
  }

  private watch(request: RoutedRequest, response: ServerResponse): void {
    const { method = '' } = request;
    const [path = ''] = (request.url ?? '').split('?', 1);
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
    response.writeHead = (status: number, ...rest: unknown[]): ServerResponse => {
      const watched = this.find(method, path, request.route);
      if (watched && !watched.documents(status))
        this.problems.push(`${method} ${watched.route.path}: ${status} is not in the API document`);
      return writeHead(status, ...rest);
    };
  }

  /** The route of a request; found by its path if it was refused before routing. */
  private find(method: string, path: string, found: RoutedRequest['route']): WatchedRoute | undefined {
    const route = found ?? this.lookUp(method, path);
    return route && this.routes.get(`${route.method} ${route.path}`);
  }

  private lookUp(method: string, path: string): RoutedRequest['route'] {
    try {
      return this.index.find(method, path)?.route;
    } catch {
      // Invalid escapes.
      return undefined;
    }
  }
}
