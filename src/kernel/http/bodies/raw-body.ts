import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import { RouteTemplates, type RouteTemplate } from '../routes/route-template.js';

const RAW_BODY = 'forgeplane:raw-body';

/** The route reads the stream of the request itself (uploads, intake): any content type, no size limit but its own. */
export const RawBody = (): MethodDecorator => SetMetadata(RAW_BODY, true);

/** Whether a handler reads the body itself. */
export const readsRawBody = (handler: object): boolean => Reflect.getMetadata(RAW_BODY, handler) === true;

/** The routes whose bodies no parser may touch, known to the pipeline before a route is looked for. */
export class RawBodyRoutes {
  private routes = new RouteTemplates([]);

  /** Takes over the routes of an application. */
  learn(routes: readonly (RouteTemplate & { readonly rawBody: boolean })[]): void {
    this.routes = new RouteTemplates(routes.filter((route) => route.rawBody));
  }

  /** Whether the request goes to one of them. */
  includes(request: Pick<Request, 'method' | 'path'>): boolean {
    return this.routes.include(request, request.method);
  }
}
