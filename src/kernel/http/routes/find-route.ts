import type { Application, Request, RequestHandler } from 'express';
import type { ApiRequest } from '../request.js';
import type { RouteIndex } from './route-index.js';

const LOCAL = 'routes';

/** Sets the routes of an application. */
export const installRoutes = (app: Application, routes: RouteIndex): void =>
  void (app.locals[LOCAL] = routes);

/** The routes of the application that serves a request. */
export const routesOf = ({ app }: Request): RouteIndex => app.locals[LOCAL] as RouteIndex;

/** Looks up the route of a request, once, for all later handlers. */
export const findRoute: RequestHandler = (request, _response, next) => {
  (request as ApiRequest).found = routesOf(request).find(request.method, request.path);
  next();
};

/** Runs the route that was found; without one, or if it passes the request on, the next handler runs. */
export const runRoute: RequestHandler = (request: ApiRequest, response, next) => {
  const { found } = request;
  if (!found || request.route === found.route) {
    next();
    return;
  }
  request.route = found.route;
  request.params = found.params as Request['params'];
  return found.route.handler(request, response, next);
};

/** Methods of the routes that match the path of a request; empty if none does. */
export const allowedMethods = (request: Request): string[] =>
  routesOf(request).methodsOf(request.originalUrl.split('?', 1)[0] ?? '');
