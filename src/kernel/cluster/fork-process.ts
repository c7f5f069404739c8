import cluster, { type Worker } from 'node:cluster';
import { logger } from '#kernel/log/logger.js';
import { closeUntaken } from './untaken-connections.js';

/** Exit code of a process that the system could not start: it may be able to later. */
const NOT_STARTED = 70;

/**
 * Starts a process of the given kind. One that the system cannot start, without descriptors, memory or process
 * ids, exits like any other; null if that is known at once.
 */
export function forkProcess(kind: string, environment: Readonly<Record<string, string>>): Worker | null {
  let worker: Worker;
  try {
    worker = cluster.fork({ ...environment, PROCESS: kind });
  } catch (error) {
    logger.error({ error, kind }, 'A process cannot be started');
    return null;
  }
  worker.on('error', (error) => {
    const isStarted = worker.process.pid !== undefined;
    logger.error({ error, kind }, isStarted ? 'A process cannot be reached' : 'A process cannot be started');
    // Node reports no exit of what has not started.
    if (!isStarted) worker.process.emit('exit', NOT_STARTED, null);
  });
  closeUntaken(worker);
  return worker;
}
