import type { Tx } from '#kernel/database/transactions.js';
import type { JobDefinition, JsonObject } from './job-definition.js';

/** What a processor knows of the run it is in. */
export interface JobContext {
  /** Id of the row in background_jobs, the same over all attempts. */
  readonly jobId: number;
  /** From 1; a run that a dead worker or a shutdown cut short does not count. */
  readonly attempt: number;
  /** X-Request-Id of the request that asked for the job, or an id of its own. */
  readonly correlationId: string;
  /** Aborted on time-out, shutdown and when the run has been taken away: stop at the next safe point. */
  readonly signal: AbortSignal;
  /** Fencing token: unique to this run. Keep it in state rows that outlive one transaction. */
  readonly runToken: string;
  /** Renews the lease now (it is renewed by itself while the event loop turns); throws when the run has been taken away. */
  heartbeat(): Promise<void>;
  /** Throws unless this run still owns the job, and keeps it owned until `tx` ends. Transactions.run does so by itself. */
  fence(tx: Tx): Promise<void>;
  /** Marks the job done in the transaction of its effect: exactly once even when the worker dies right after. */
  complete(tx: Tx): Promise<void>;
}

/** Runs one kind of job. Delivery is at least once: re-read state, make every effect repeatable. */
export abstract class JobProcessor<Payload extends JsonObject = JsonObject> {
  abstract readonly job: JobDefinition<Payload>;

  abstract process(payload: Payload, context: JobContext): Promise<void>;

  /** Told once no attempt is left (or workers died on it too often), before the job is kept as failed; may be told twice. */
  failed?(payload: Payload, error: Error, context: JobContext): Promise<void>;
}

/** Thrown when another run owns the job by now: nothing that this run does may last. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor(jobId: number) {
    super(`Another run has taken over job ${jobId}`);
  }
}

/** Reason of the abort when a run exceeds the time-out of its job. */
export class JobTimeout extends Error {
  override readonly name = 'JobTimeout';

  constructor(timeoutMs: number) {
    super(`The job ran longer than ${timeoutMs} ms`);
  }
}

/** Reason of the abort when the process stops; the job goes back to the queue and the run does not count. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';

  constructor() {
    super('The worker is stopping');
  }
}

/** Error of a job whose workers died too often while they ran it. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';

  constructor(stalls: number) {
    super(`The worker was lost ${stalls} times while it ran this job`);
  }
}

/** Throw it from a processor when another attempt cannot help: the job fails at once. */
export class PermanentFailure extends Error {
  override readonly name: string = 'PermanentFailure';
}
