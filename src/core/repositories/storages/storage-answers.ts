import { Gate } from '#kernel/crypto/gate.js';
import { within } from '#kernel/time/within.js';
import { RepositoryUnavailable } from './repository-unavailable.js';

/** Limit of the threads of Node.js for files that an unresponsive disk can block. */
const AT_ONCE = 2;
const MAX_WAITING = 2_000;
const PATIENCE_MS = 5_000;
/** Limit of an operation, however quickly others on its disk are answered. */
const LONGEST_MS = 30_000;

/** Last known state of a disk. */
interface Disk {
  readonly gate: Gate;
  answeredAt: number;
}

const disks = new Map<string, Disk>();

/**
 * Runs a short operation on a storage. @throws 503 if its disk does not respond: a disk that answers others is only
 * busy, as is a process without a processor
 */
export async function askStorage<T>(
  storage: string,
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const disk = diskOf(storage);
  const answer = disk.gate.run(() => work().finally(() => (disk.answeredAt = performance.now())));
  const end = performance.now() + LONGEST_MS;
  const wait = (forMs: number): Promise<T> =>
    within(forMs, answer, () => {
      const leftMs = Math.min(disk.answeredAt + patienceMs, end) - performance.now();
      if (leftMs <= 0) throw new RepositoryUnavailable();
      return wait(leftMs);
    });
  return wait(patienceMs);
}

function diskOf(storage: string): Disk {
  let disk = disks.get(storage);
  if (!disk) disks.set(storage, (disk = { gate: new Gate(AT_ONCE, MAX_WAITING), answeredAt: -Infinity }));
  return disk;
}
