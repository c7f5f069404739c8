import type { Tx } from '#kernel/database/transactions.js';
import type { JobDefinition, JsonObject } from './job-definition.js';

/** Context of a run, passed to its processor. */
export interface JobContext {
  /** Id of the row in background_jobs; all attempts share it. */
  readonly jobId: number;
  /** Starts at 1; a run that a dead worker or a shutdown interrupted does not count. */
  readonly attempt: number;
  /** X-Request-Id of the request that enqueued the job, or a generated id. */
  readonly correlationId: string;
  /** Aborted on time-out, on shutdown, and if another run takes the job over: stop at the next safe point. */
  readonly signal: AbortSignal;
  /** Fencing token: unique to this run. Keep it in state rows that outlive one transaction. */
  readonly runToken: string;
  /** Renews the lease now (a timer also does so while the event loop runs). @throws if another run took the job over */
  heartbeat(): Promise<void>;
  /** Locks the ownership of the job until `tx` ends; Transactions.run calls it. @throws if this run no longer owns the job */
  fence(tx: Tx): Promise<void>;
  /** Marks the job done in the transaction of its effect: exactly once, even if the worker dies right afterwards. */
  complete(tx: Tx): Promise<void>;
}

/** Runs one kind of job. Delivery is at least once: re-read state, make every effect repeatable. */
export abstract class JobProcessor<Payload extends JsonObject = JsonObject> {
  abstract readonly job: JobDefinition<Payload>;

  abstract process(payload: Payload, context: JobContext): Promise<void>;

  /** Called before a job is marked failed: no attempt is left, or its workers died too often. May be called twice. */
  failed?(payload: Payload, error: Error, context: JobContext): Promise<void>;
}

/** Thrown if another run owns the job now: this run must not commit anything. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor(jobId: number) {
    super(`Another run has taken over job ${jobId}`);
  }
}

/** Abort reason if a run exceeds the time limit of its job. */
export class JobTimeout extends Error {
  override readonly name = 'JobTimeout';

  constructor(timeoutMs: number) {
    super(`The job ran longer than ${timeoutMs} ms`);
  }
}

/** Abort reason if the process stops; the job returns to the queue and the run does not count. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';

  constructor() {
    super('The worker is stopping');
  }
}

/** Error of a job whose workers died too often while running it. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';

  constructor(stalls: number) {
    super(`The worker was lost ${stalls} times while it ran this job`);
  }
}

/** Thrown by a processor if a retry cannot help: the job fails at once. */
export class PermanentFailure extends Error {
  override readonly name: string = 'PermanentFailure';
}
