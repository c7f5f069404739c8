import type { Worker } from 'node:cluster';

/** What Node tells a process about a new connection, and what the process answers. */
interface ConnectionMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes the connections that the primary has handed to a process, and that the process has not taken when it ends. Node would keep them
 * open forever: their clients would wait, and each would cost the primary a descriptor. Another process could not serve them, because the
 * ended one may have read their requests. Node does not document these messages: if they change, nothing is closed, and `cluster.spec`
 * fails.
 */
export function closeUntaken({ process: child }: Worker): void {
  const handed = new Map<number, { close: () => void }>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: ConnectionMessage, connection?: unknown, ...rest: unknown[]): boolean => {
    if (message.act === 'newconn' && message.seq !== undefined)
      handed.set(message.seq, connection as { close: () => void });
    return send(message, connection, ...rest);
  };
  child.on('internalMessage', ({ ack }: ConnectionMessage) => {
    if (ack !== undefined) handed.delete(ack);
  });
  // By then all that it has answered has been read; `disconnect` is not emitted while a connection is on its way.
  child.once('close', () => {
    for (const connection of handed.values()) connection.close();
    handed.clear();
  });
}
