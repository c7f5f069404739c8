/** What a job payload may hold: it is stored as jsonb. */
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

/** Times at which a job is enqueued by itself, once over all workers. */
export interface Schedule<Payload extends JsonObject> {
  /** Five or six fields. */
  readonly cron: string;
  /** IANA name; default UTC. */
  readonly timezone?: string;
  readonly payload: Payload;
  /**
   * SQL condition, without values: the job is enqueued only when it holds. It may hold too often, never too seldom, and must be answered from an index:
   * all conditions are asked in one statement at each tick.
   */
  readonly when?: string;
}

/** Everything that is known of a kind of job; the payload must not hold secrets. */
export interface JobOptions<Payload extends JsonObject> {
  /** Unique, `area.verb`. */
  readonly name: string;
  /** Jobs of one queue share slots and order of pick-up. */
  readonly queue: string;
  /** Jobs of its queue that one process runs at a time, where that is to be fewer than usual. */
  readonly slots?: number;
  readonly attempts: number;
  readonly backoff: Backoff;
  /** A run that takes longer is aborted and counts as failed; default ten minutes. */
  readonly timeoutMs?: number;
  /** Key under which a job that has not started yet absorbs a new one. */
  readonly dedupe?: (payload: Payload) => string;
  readonly schedule?: Schedule<Payload>;
}

/** A kind of job, made by defineJob. */
export interface JobDefinition<Payload extends JsonObject = JsonObject> extends JobOptions<Payload> {
  readonly timeoutMs: number;
}

/** A definition of any payload, for tables of them. */
export type AnyJobDefinition = Omit<JobDefinition, 'dedupe' | 'schedule'> & {
  readonly schedule?: Schedule<JsonObject>;
};

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

/** Every job that loaded code defines. */
export function definedJobs(): readonly AnyJobDefinition[] {
  return [...definitions.values()];
}

/** Names of the queues of all defined jobs. */
export function definedQueues(): readonly string[] {
  return [...new Set(definedJobs().map((job) => job.queue))];
}

/** Slots that the jobs of a queue ask for; undefined for as many as usual. */
export function wantedSlots(queue: string): number | undefined {
  return definedJobs().find((job) => job.queue === queue && job.slots !== undefined)?.slots;
}

/** Milliseconds to wait after the attempt of that number (from 1) has failed. */
export function backoffMs(backoff: Backoff, attempt: number): number {
  if (backoff.type === 'fixed') return backoff.delayMs;
  return Math.min(backoff.delayMs * 2 ** Math.min(attempt - 1, 30), backoff.maxMs ?? DEFAULT_MAX_BACKOFF_MS);
}
