import { Gate } from '#kernel/crypto/gate.js';
import { within } from '#kernel/time/within.js';
import { RepositoryUnavailable } from './repository-unavailable.js';

/** A disk that does not answer holds two of the few threads that Node has for files, and no more. */
const AT_ONCE = 2;
const MAX_WAITING = 2_000;
const PATIENCE_MS = 5_000;

const gates = new Map<string, Gate>();

/** Does something short on a storage. @throws 503 where its disk does not answer */
export async function askStorage<T>(storage: string, work: () => Promise<T>): Promise<T> {
  let gate = gates.get(storage);
  if (!gate) gates.set(storage, (gate = new Gate(AT_ONCE, MAX_WAITING)));
  return within(PATIENCE_MS, gate.run(work), () => {
    throw new RepositoryUnavailable();
  });
}
