import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Duplex } from 'node:stream';
import { RouteTemplates, type RouteTemplate } from './route-template.js';

const LONG_RUNNING = 'forgeplane:long-running';

/** The route streams for as long as its client keeps up: the time of a request does not end it, it has limits of its own. */
export const LongRunning = (): MethodDecorator => SetMetadata(LONG_RUNNING, true);

/** Whether a handler ends its requests by itself. */
export const runsLong = (handler: object): boolean => Reflect.getMetadata(LONG_RUNNING, handler) === true;

/** Connections whose request takes as long as it takes. */
const unhurried = new WeakSet<Duplex>();

/** Whether the request that is under way on a connection ends by itself, however slowly its body comes in. */
export const isUnhurried = (socket: Duplex): boolean => unhurried.has(socket);

/** The routes that may take long, known to the pipeline before a route is looked for. */
export class LongRunningRoutes {
  private routes = new RouteTemplates([]);

  /** Takes over the routes of an application. */
  learn(routes: readonly (RouteTemplate & { readonly longRunning: boolean })[]): void {
    this.routes = new RouteTemplates(routes.filter((route) => route.longRunning));
  }

  /** Whether the request goes to one of them; its connection is then left alone until `release`. */
  admit(request: Request): boolean {
    const isOne = this.routes.include(request, request.method);
    if (isOne) unhurried.add(request.socket);
    return isOne;
  }

  /** The request has been answered: the next one on its connection is one like others. */
  release({ socket }: Request): void {
    unhurried.delete(socket);
  }
}
