import type { Handover } from '../outbox/claimed-job.js';
import type { JobRunner } from '../running/job-runner.js';

/** State of Redis for the queue; `unused` with the embedded driver. */
export type RedisState = 'up' | 'down' | 'unused';

/** Moves due jobs from PostgreSQL to free slots: through Bull on Redis, or directly from the table. */
export abstract class QueueDriver {
  /** Starts to move due jobs out of the table, if the driver does so. */
  abstract relay(): void;

  /** Starts to run jobs. */
  abstract consume(runner: JobRunner): void;

  /** Whether this process moves jobs out of the table. */
  abstract takes(): boolean;

  /** Registers a callback for jobs that returned to the table after a hand-over, or may be lost. */
  abstract whenReturned(callback: () => void): void;

  /** Checks for due jobs now. False if this process cannot take them, so that the caller notifies others. */
  abstract wake(): boolean;

  /** Returns those of the given hand-overs that will never be delivered. */
  abstract lost(handovers: readonly Handover[]): Promise<readonly Handover[]>;

  /** Whether the service behind the driver responds. */
  abstract ping(): Promise<RedisState>;

  /** Stops taking jobs; running ones continue. */
  abstract stopTaking(): Promise<void>;

  /** Closes queues and connections. */
  abstract close(): Promise<void>;
}
