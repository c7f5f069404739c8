import type { Queue } from 'bull';
import { insideFile, reach } from './reach.js';

/** What Bull does to the connection of a consumer, which its documentation does not know. */
interface Naming {
  setWorkerName?: () => Promise<unknown>;
}

/** Worth: a process that is told to stop while it starts ends in order. The public way is to leave Bull alone. */
const namingReach = reach({
  library: 'bull',
  broken:
    'bull no longer names the connections of consumers by setWorkerName (src/kernel/libraries/bull-worker-name.ts): a process that is stopped while it starts may end with an unhandled rejection',
  // Asked where Bull is loaded already: loading it for this would cost each process its memory.
  looksRight: () =>
    typeof (insideFile('bull') as { prototype: Naming } | undefined)?.prototype.setWorkerName === 'function',
});

/**
 * Keeps Bull from naming the connections of a consumer, which have names already: it lets that promise go, and its rejection would end a
 * process that is told to stop while it starts.
 */
export function leaveConnectionsNamed(queue: Queue): void {
  if (namingReach.available) (queue as Naming).setWorkerName = () => Promise.resolve();
}
