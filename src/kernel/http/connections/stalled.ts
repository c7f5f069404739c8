import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { countRejected } from '#kernel/log/metrics.js';

/** Time without a received byte after which a client with a pending answer counts as gone; Node checks twice before it reports that. */
const STALLED_MS = 30_000;

/**
 * Closes connections without traffic: those whose client no longer reads its answer, and idle ones. An answer that currently has nothing to send
 * (events, long polls, slow work) stays open, and so does one that is read slowly, because Node restarts the timer with every byte.
 */
export function closeStalled(server: Server, isBusy: (socket: Socket) => boolean): void {
  server.timeout = STALLED_MS;
  server.on('timeout', (socket: Socket) => {
    const isStalled = socket.writableLength > 0;
    if (isStalled) countRejected('stalled');
    if (isStalled || !isBusy(socket)) socket.destroy();
  });
}
