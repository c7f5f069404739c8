import type { Queue } from 'bull';
import { insideFile, reach } from './reach.js';

/** What Bull does to the connection of a consumer, which is undocumented. */
interface Naming {
  setWorkerName?: () => Promise<unknown>;
}

/**
 * Benefit: a process that must stop while starting shuts down in order. The public way is to leave Bull
 * alone.
 */
const namingReach = reach({
  library: 'bull',
  broken:
    'bull no longer names the connections of consumers by setWorkerName (src/kernel/libraries/bull-worker-name.ts): a process that is stopped while it starts may end with an unhandled rejection',
  // Checked where Bull is already loaded: loading it for this check would cost each process its memory.
  looksRight: () =>
    typeof (insideFile('bull') as { prototype: Naming } | undefined)?.prototype.setWorkerName === 'function',
});

/**
 * Keeps Bull from naming the connections of a consumer, which already have names. It does not await that
 * promise, whose rejection would end a process that must stop while starting.
 */
export function leaveConnectionsNamed(queue: Queue): void {
  if (namingReach.available) (queue as Naming).setWorkerName = () => Promise.resolve();
}
