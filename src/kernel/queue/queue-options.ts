import { wantedSlots } from './job-definition.js';

/** Timings and sizes of the job system; tests provide shorter ones. */
export class QueueOptions {
  /** A run without heartbeat for so long belongs to a dead worker. */
  leaseMs = 25_000;
  /** A job handed to Redis is looked for there after so long without a start. */
  handedMs = 20_000;
  /** Pause between two looks for what nobody has announced; longer than a lease, so that a dead worker is noticed when that ends. */
  pollMs = 30_000;
  /** Queues with waiting jobs and free slots but no start for so long are rebuilt. */
  flowMs = 10_000;
  /** Time for running jobs to end at shutdown, and then to notice their abort; some is left for the rest of the stop. */
  drainMs: number;
  abortMs = 3_000;
  /** Dead workers that one job may cost before it fails. */
  maxStalls = 3;
  /** Rows that the relay moves to Redis in one step. */
  relayBatch = 500;
  /** Slots of one queue in one process, where `slots` does not say otherwise. */
  defaultSlots = 10;
  slots: Readonly<Record<string, number>> = {};
  /** Prefix of all keys in Redis. */
  redisPrefix = 'forgeplane';
  /** Failed jobs are kept so long. */
  keepFailedDays = 30;

  /** `stopSeconds`: all that a stop may take. */
  constructor(stopSeconds = 25) {
    this.drainMs = Math.max(1_000, stopSeconds * 1_000 - 8_000);
  }

  /** Jobs of a queue that one process runs at a time. */
  slotsOf(queue: string): number {
    return this.slots[queue] ?? wantedSlots(queue) ?? this.defaultSlots;
  }
}
