import type { EventEmitter } from 'node:events';

/**
 * Allows something kept for a while (a stream, a process) to fail while nothing listens: an `error` without a
 * listener would end this process. A later reader of a stream finds it destroyed, with its error.
 */
export function held<T extends EventEmitter>(owned: T): T {
  return owned.on('error', () => undefined);
}
