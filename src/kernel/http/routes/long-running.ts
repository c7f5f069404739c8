import { SetMetadata } from '@nestjs/common';
import type { Duplex } from 'node:stream';
import type { ApiRequest } from '../request.js';

const LONG_RUNNING = 'forgeplane:long-running';

/** The route streams for as long as its client keeps up: the time of a request does not end it, it has limits of its own. */
export const LongRunning = (): MethodDecorator => SetMetadata(LONG_RUNNING, true);

/** Whether a handler ends its requests by itself. */
export const runsLong = (handler: object): boolean => Reflect.getMetadata(LONG_RUNNING, handler) === true;

/** Connections whose request takes as long as it takes. */
const unhurried = new WeakSet<Duplex>();

/** Whether the request that is under way on a connection ends by itself, however slowly its body comes in. */
export const isUnhurried = (socket: Duplex): boolean => unhurried.has(socket);

/** Whether a request goes to a route that may take long; its connection is then left alone until `release`. */
export function admitLong({ found, method, socket }: ApiRequest): boolean {
  // HEAD runs the route for GET, but streams nothing.
  const isLong = found?.route.facts.longRunning === true && found.route.method === method;
  if (isLong) unhurried.add(socket);
  return isLong;
}

/** The request has been answered: the next one on its connection is one like others. */
export function releaseLong({ socket }: ApiRequest): void {
  unhurried.delete(socket);
}
