import { Gate } from '#kernel/crypto/gate.js';
import { within } from '#kernel/time/within.js';
import { RepositoryUnavailable } from './repository-unavailable.js';

/** Limit of the threads of Node.js for files that an unresponsive disk can block. */
const AT_ONCE = 2;
const MAX_WAITING = 2_000;
const PATIENCE_MS = 5_000;

const gates = new Map<string, Gate>();

/** Runs a short operation on a storage. @throws 503 if its disk does not respond */
export async function askStorage<T>(storage: string, work: () => Promise<T>): Promise<T> {
  let gate = gates.get(storage);
  if (!gate) gates.set(storage, (gate = new Gate(AT_ONCE, MAX_WAITING)));
  return within(PATIENCE_MS, gate.run(work), () => {
    throw new RepositoryUnavailable();
  });
}
