import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { countRejected } from '#kernel/log/metrics.js';

/** A client that takes no byte for so long, while there are some for it, is gone; Node looks twice before it says so. */
const STALLED_MS = 30_000;

/**
 * Closes connections on which nothing moves: those whose client takes no more of its answer, and those that are done with. An answer that has nothing
 * to say for the moment (events, long polls, slow work) is left alone, and so is one that is taken slowly: Node starts the time anew with
 * every byte.
 */
export function closeStalled(server: Server, isBusy: (socket: Socket) => boolean): void {
  server.timeout = STALLED_MS;
  server.on('timeout', (socket: Socket) => {
    const isStalled = socket.writableLength > 0;
    if (isStalled) countRejected('stalled');
    if (isStalled || !isBusy(socket)) socket.destroy();
  });
}
