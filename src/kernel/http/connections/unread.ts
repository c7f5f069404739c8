import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countRejected } from '#kernel/log/metrics.js';

/** Unsent bytes below which an answer is not counted. */
const FREE_BYTES = 64 * 1024;
/** Limit of the unsent bytes of complete answers over all connections. */
const MOST_BYTES = 48 * 1024 * 1024;

/**
 * Limits the memory of complete answers that clients read slowly or not at all. Beyond the limit it closes connections of the address with the
 * most unsent bytes, oldest first.
 */
export class UnreadAnswers {
  private readonly sockets = new Set<Socket>();

  /** Counts an answer from its completion until the client has received it. */
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
      // Spare the newest answer: its client may be reading it.
      if (socket === newest || (socket.remoteAddress ?? '') !== most) continue;
      all -= socket.writableLength;
      this.sockets.delete(socket);
      countRejected('unread');
      socket.destroy();
    }
  }
}
