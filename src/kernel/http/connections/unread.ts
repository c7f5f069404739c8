import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countRejected } from '#kernel/log/metrics.js';

/** Bytes of an answer that nobody counts. */
const FREE_BYTES = 64 * 1024;
/** Bytes of answers that are done and lie here until their clients take them, of all connections together. */
const MOST_BYTES = 48 * 1024 * 1024;

/**
 * Bounds what answers hold that nobody reads, or reads a byte at a time. When they hold too much, connections are cut: those of the address that
 * holds most, the oldest first.
 */
export class UnreadAnswers {
  private readonly sockets = new Set<Socket>();

  /** Counts an answer from when it is complete until its client has it. */
  watch(response: ServerResponse): void {
    response.once('prefinish', () => {
      const { socket } = response;
      if (!socket || socket.destroyed || socket.writableLength <= FREE_BYTES) return;
      this.sockets.add(socket);
      response.once('close', () => this.sockets.delete(socket));
      this.bound(socket);
    });
  }

  private bound(newest: Socket): void {
    const held = new Map<string, number>();
    let all = 0;
    for (const { remoteAddress = '', writableLength } of this.sockets) {
      held.set(remoteAddress, (held.get(remoteAddress) ?? 0) + writableLength);
      all += writableLength;
    }
    if (all <= MOST_BYTES) return;
    const [most] = [...held].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
    for (const socket of this.sockets) {
      if (all <= MOST_BYTES) return;
      // One large answer to somebody who reads it is nobody's fault.
      if (socket === newest || (socket.remoteAddress ?? '') !== most) continue;
      all -= socket.writableLength;
      this.sockets.delete(socket);
      countRejected('unread');
      socket.destroy();
    }
  }
}
