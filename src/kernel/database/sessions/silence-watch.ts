import { logger } from '#kernel/log/logger.js';

/** Milliseconds between two looks. */
export const LOOK_MS = 1_000;

/** A connection that is checked once a second while it is open. */
export interface Watched {
  /** Ends the connection if its server has been silent for too long, and returns whether it did. */
  look(): boolean;
}

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;

/** Looks at a connection once a second from now on. */
export function watch(connection: Watched): void {
  watched.add(connection);
  timer ??= setInterval(lookLater, LOOK_MS).unref();
}

/** Stops looking at a connection, which is closed. */
export function unwatch(connection: Watched): void {
  watched.delete(connection);
  if (watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** After pending input: after a pause of the process, unread answers must not be taken for missing ones. */
function lookLater(): void {
  setImmediate(() => {
    const ended = [...watched].filter((connection) => connection.look()).length;
    if (ended > 0) logger.warn({ connections: ended }, 'PostgreSQL has fallen silent: connections are ended');
  });
}
