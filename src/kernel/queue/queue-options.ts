import { wantedSlots } from './job-definition.js';

/** Timings and sizes of the job system; tests provide shorter ones. */
export class QueueOptions {
  /** Lease of a run: without a heartbeat for this long its worker counts as dead. */
  leaseMs = 25_000;
  /** Time after which a job that was handed to Redis and has not started is searched there. */
  handedMs = 20_000;
  /** Interval of polling for unannounced jobs; longer than a lease, so that a poll finds the leases that have expired. */
  pollMs = 30_000;
  /** Time without a start after which a queue with waiting jobs and free slots is rebuilt. */
  flowMs = 10_000;
  /** Time for running jobs to end at shutdown, and then to react to their abort; the rest of the stop keeps a share. */
  drainMs: number;
  abortMs = 3_000;
  /** Number of workers that may die on a job before it fails. */
  maxStalls = 3;
  /** Rows that the relay moves to Redis in one step. */
  relayBatch = 500;
  /**
   * Jobs of a queue in Redis at which a relay adds no more; others that count at the same time add theirs. More
   * than the workers start until the next look at what is due, few enough for a small Redis.
   */
  mostHanded = 1_000;
  /** Default number of slots of a queue in one process; `slots` overrides it. */
  defaultSlots = 10;
  slots: Readonly<Record<string, number>> = {};
  /** Prefix of all keys in Redis. */
  redisPrefix = 'forgeplane';
  /** Retention of failed jobs. */
  keepFailedDays = 30;

  /** `stopSeconds`: time limit of the whole stop. */
  constructor(stopSeconds = 25) {
    this.drainMs = Math.max(1_000, stopSeconds * 1_000 - 8_000);
  }

  /** Returns how many jobs of a queue one process runs at a time. */
  slotsOf(queue: string): number {
    return this.slots[queue] ?? wantedSlots(queue) ?? this.defaultSlots;
  }
}
