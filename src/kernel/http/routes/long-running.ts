import { SetMetadata } from '@nestjs/common';
import type { Duplex } from 'node:stream';
import type { ApiRequest } from '../request.js';

const LONG_RUNNING = 'forgeplane:long-running';

/**
 * The route streams as long as its client reads: the request timeout does not apply, it has limits of its
 * own.
 */
export const LongRunning = (): MethodDecorator => SetMetadata(LONG_RUNNING, true);

/** Whether a handler ends its requests itself. */
export const runsLong = (handler: object): boolean => Reflect.getMetadata(LONG_RUNNING, handler) === true;

/** Connections whose request is not limited in time. */
const unhurried = new WeakSet<Duplex>();

/** Whether the current request of a connection is not limited in time, however slowly its body arrives. */
export const isUnhurried = (socket: Duplex): boolean => unhurried.has(socket);

/**
 * Whether the route of a request is not limited in time; if so, its connection is left alone until `release`.
 */
export function admitLong({ found, method, socket }: ApiRequest): boolean {
  // HEAD runs the route for GET, but streams nothing.
  const isLong = found?.route.facts.longRunning === true && found.route.method === method;
  if (isLong) unhurried.add(socket);
  return isLong;
}

/** The request has been responded to: the connection is treated normally again. */
export function releaseLong({ socket }: ApiRequest): void {
  unhurried.delete(socket);
}
