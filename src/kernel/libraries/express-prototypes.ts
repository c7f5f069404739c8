import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { reach } from './reach.js';
import express from 'express';

/** Prototypes that an Express application assigns to every request and response. */
export interface ExpressPrototypes {
  request: object;
  response: object;
}

/**
 * Benefit, measured: a fifth of a short request. The public way is that of Express, which changes the
 * prototypes of each request and response.
 */
const prototypeReach = reach({
  library: 'express',
  broken:
    'express no longer keeps the prototypes of requests and responses in its application (src/kernel/libraries/express-prototypes.ts): each request has its own changed, and costs a fifth more',
  looksRight: () => {
    const app = express() as unknown as ExpressPrototypes;
    return app.request instanceof IncomingMessage && app.response instanceof ServerResponse;
  },
});

/**
 * Classes from which Node creates requests and responses that have Express's prototypes from the start.
 * Express would change the prototypes of each of them, which costs a fifth of a short request and keeps V8
 * from collecting them young (measured: 10 KB per request moved to the old generation, and marking it took
 * more CPU time than serving).
 */
export function bornAsExpress(
  app: ExpressPrototypes,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  if (!prototypeReach.available) return {};
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype;
  app.response = ExpressResponse.prototype;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
