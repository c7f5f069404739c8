import type { Handover } from '../outbox/claimed-job.js';
import type { JobRunner } from '../running/job-runner.js';

/** State of Redis as the queue sees it; `unused` with the embedded driver. */
export type RedisState = 'up' | 'down' | 'unused';

/** How due jobs get from PostgreSQL to free slots: through Bull on Redis, or straight from the table. */
export abstract class QueueDriver {
  /** Begins to move due jobs out of the table, where this driver needs that. */
  abstract relay(): void;

  /** Begins to run jobs. */
  abstract consume(runner: JobRunner): void;

  /** Whether this process moves jobs out of the table. */
  abstract takes(): boolean;

  /** Calls back when jobs that were handed over are back in the table, or must be looked for. */
  abstract whenReturned(callback: () => void): void;

  /** Looks for due jobs now; false when this process cannot take them, so that others should be told. */
  abstract wake(): boolean;

  /** Which of these hand-overs will never be delivered. */
  abstract lost(handovers: readonly Handover[]): Promise<readonly Handover[]>;

  /** Whether what the driver stands on answers. */
  abstract ping(): Promise<RedisState>;

  /** Takes no more jobs; those that run go on. */
  abstract stopTaking(): Promise<void>;

  /** Closes queues and connections. */
  abstract close(): Promise<void>;
}
