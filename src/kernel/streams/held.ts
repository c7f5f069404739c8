import type { EventEmitter } from 'node:events';

/**
 * Lets what is held for a while (a stream, a process) fail while nobody listens: an `error` without a listener would end this process. Whoever
 * comes to read a stream later finds it destroyed, with its error.
 */
export function held<T extends EventEmitter>(owned: T): T {
  return owned.on('error', () => undefined);
}
