import type { INestApplication } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { listRoutes, type RouteDescription } from '#kernel/http/routes/route-list.js';
import { RouteTemplates } from '#kernel/http/routes/route-template.js';
import { responsesOf } from '#kernel/openapi/answers.js';
import { isDocumented } from '#kernel/openapi/document.js';
import { SchemaRegistry } from '#kernel/openapi/schemas.js';

/** A request that has found its route, or has been refused before. */
type RoutedRequest = IncomingMessage & { readonly route?: { readonly path: string } };

/** A route, how requests for it are recognised, and by which statuses its document says that it answers. */
class WatchedRoute {
  private readonly templates: RouteTemplates;
  private statuses: ReadonlySet<string> | undefined;

  constructor(readonly route: RouteDescription) {
    this.templates = new RouteTemplates([route]);
  }

  includes(path: string, method: string): boolean {
    return this.templates.include({ path }, method);
  }

  documents(status: number): boolean {
    this.statuses ??= new Set(Object.keys(responsesOf(this.route, new SchemaRegistry())));
    return this.statuses.has(String(status));
  }
}

/** Looks at every answer of a service, whoever asked for it: its status must be one that the API document says of the route. */
export class StatusWatch {
  private readonly routes: readonly WatchedRoute[];
  private problems: string[] = [];

  constructor(app: INestApplication) {
    const documented = listRoutes(app).filter(isDocumented);
    this.routes = documented.map((route) => new WatchedRoute(route));
    const server = app.getHttpServer() as Server;
    server.prependListener('request', (request, response) => this.watch(request, response));
  }

  /** Fails for each status since the last call that the document does not know. */
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
      const found = request.route?.path;
      const watched = this.find(method, path, found) ?? (method === 'HEAD' && this.find('GET', path, found));
      if (watched && !watched.documents(status))
        this.problems.push(`${method} ${watched.route.path}: ${status} is not in the API document`);
      return writeHead(status, ...rest);
    };
  }

  /** The route that a request has found; by its path where it was refused before that, if no other fits as well. */
  private find(method: string, path: string, found: string | undefined): WatchedRoute | undefined {
    if (found !== undefined)
      return this.routes.find(({ route }) => route.path === found && route.method === method);
    const fitting = this.routes.filter((watched) => watched.includes(path, method));
    return fitting.length === 1 ? fitting[0] : undefined;
  }
}
