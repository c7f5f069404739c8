/** Value in a job payload, which is stored as jsonb. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A payload; write payloads as type aliases, interfaces have no index signature. */
export type JsonObject = Readonly<Record<string, Json>>;

/** Pause before the next attempt. */
export interface Backoff {
  readonly type: 'exponential' | 'fixed';
  readonly delayMs: number;
  /** Upper limit of an exponential pause; default one hour. */
  readonly maxMs?: number;
}

/** Schedule on which a job is enqueued, once across all workers. */
export interface Schedule<Payload extends JsonObject> {
  /** Five or six fields. */
  readonly cron: string;
  /** IANA name; default UTC. */
  readonly timezone?: string;
  readonly payload: Payload;
  /**
   * SQL condition without parameters: the job is enqueued only if it is true. It may be true without need, but never false when there is work.
   * An index must answer it, because each tick evaluates all conditions in one statement.
   */
  readonly when?: string;
}

/** Definition of a kind of job; the payload must not contain secrets. */
export interface JobOptions<Payload extends JsonObject> {
  /** Unique, `area.verb`. */
  readonly name: string;
  /** Jobs of one queue share its slots and its order. */
  readonly queue: string;
  /** Limit of concurrent jobs of its queue in one process, if lower than the default. */
  readonly slots?: number;
  readonly attempts: number;
  readonly backoff: Backoff;
  /** Time limit of a run: a longer one is aborted and counts as failed; default ten minutes. */
  readonly timeoutMs?: number;
  /** Deduplication key: a job that has not started absorbs a new one with the same key. */
  readonly dedupe?: (payload: Payload) => string;
  readonly schedule?: Schedule<Payload>;
}

/** A kind of job, made by defineJob. */
export interface JobDefinition<Payload extends JsonObject = JsonObject> extends JobOptions<Payload> {
  readonly timeoutMs: number;
}

/** Definition with any payload, for collections of definitions. */
export type AnyJobDefinition = Omit<JobDefinition, 'dedupe' | 'schedule'> & {
  readonly schedule?: Schedule<JsonObject>;
};

/** Definition of a job with a schedule. */
export type ScheduledJob = AnyJobDefinition & Required<Pick<AnyJobDefinition, 'schedule'>>;

/** Whether a job has a schedule. */
export const isScheduled = (job: AnyJobDefinition): job is ScheduledJob => job.schedule !== undefined;

const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_MAX_BACKOFF_MS = 3_600_000;

const definitions = new Map<string, AnyJobDefinition>();

/** Declares a kind of job; one file `<job>.job.ts` each. */
export function defineJob<Payload extends JsonObject>(options: JobOptions<Payload>): JobDefinition<Payload> {
  if (definitions.has(options.name)) throw new Error(`Job ${options.name} is defined twice`);
  if (!/^[a-z0-9_.-]+$/.test(options.queue)) throw new Error(`Queue name ${options.queue} is not valid`);
  if (!Number.isInteger(options.attempts) || options.attempts < 1) {
    throw new Error(`Job ${options.name} needs one attempt or more`);
  }
  const definition = Object.freeze({ timeoutMs: DEFAULT_TIMEOUT_MS, ...options });
  definitions.set(options.name, definition);
  return definition;
}

/** Returns the definitions of all loaded job files. */
export function definedJobs(): readonly AnyJobDefinition[] {
  return [...definitions.values()];
}

/** Names of all kinds of jobs. */
export function definedNames(): readonly string[] {
  return [...definitions.keys()];
}

/** Names of the queues of all defined jobs. */
export function definedQueues(): readonly string[] {
  return [...new Set(definedJobs().map((job) => job.queue))];
}

/** Returns the slots that the jobs of a queue set; undefined for the default. */
export function wantedSlots(queue: string): number | undefined {
  return definedJobs().find((job) => job.queue === queue && job.slots !== undefined)?.slots;
}

/** Returns the milliseconds to wait after a failed attempt; attempts count from 1. */
export function backoffMs(backoff: Backoff, attempt: number): number {
  if (backoff.type === 'fixed') return backoff.delayMs;
  return Math.min(backoff.delayMs * 2 ** Math.min(attempt - 1, 30), backoff.maxMs ?? DEFAULT_MAX_BACKOFF_MS);
}
