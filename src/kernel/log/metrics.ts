import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { watchEventLoop } from './event-loop.js';

/** All metrics that /-/metrics shows. */
export const metrics = new Registry();
const registers = [metrics];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const REQUEST_LABELS = ['method', 'route', 'status'] as const;

const requests = new Counter({
  name: 'http_requests_total',
  help: 'Answered requests',
  labelNames: REQUEST_LABELS,
  registers,
});
const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the request line to the end of the answer',
  labelNames: REQUEST_LABELS,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});
const rejected = new Counter({
  name: 'http_rejected_total',
  help: 'Requests refused before their handler, by reason',
  labelNames: ['reason'] as const,
  registers,
});
const fatalErrors = new Counter({
  name: 'fatal_errors_total',
  help: 'Errors that nobody caught, after which the process ends',
  labelNames: ['origin'] as const,
  registers,
});
const sharedPacks = new Counter({
  name: 'git_shared_packs_total',
  help: 'Clones and fetches that got a pack which git was making, or had made, for another one',
  registers,
});
const jobs = new Counter({
  name: 'jobs_total',
  help: 'Finished runs of jobs',
  labelNames: ['queue', 'job', 'result'] as const,
  registers,
});
const jobDuration = new Histogram({
  name: 'job_duration_seconds',
  help: 'Run time of jobs',
  labelNames: ['queue', 'job'] as const,
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
  registers,
});

const reads = new Counter({
  name: 'database_reads_total',
  help: 'Reads of lists that a replica may answer, by the server that has; none without DATABASE_REPLICA_URL',
  labelNames: ['server'] as const,
  registers,
});
const mails = new Counter({
  name: 'mails_total',
  help: 'Mails handed to the mail server, and attempts that failed',
  labelNames: ['result'] as const,
  registers,
});
const storeErrors = new Counter({
  name: 'object_store_errors_total',
  help: 'Requests to the object store that failed: not those for what is not there',
  registers,
});

// Initializes series of failures with 0: otherwise the first one would be missing from increases, which are
// computed from previous values.
for (const result of ['sent', 'failed'] as const) mails.inc({ result }, 0);

/** How a run of a job ended. */
export type JobResult = 'success' | 'retry' | 'failed';

/** Counts a completed request; `route` is a template, or undefined if no route matched. */
export function observeRequest(
  method: string,
  route: string | undefined,
  status: number,
  seconds: number,
): void {
  const series = seriesOf(METHODS.has(method) ? method : 'other', route ?? 'unmatched', status);
  series.count.inc();
  series.duration.observe(seconds);
}

interface Series {
  readonly count: Counter.Internal;
  readonly duration: Histogram.Internal<string>;
}

/**
 * By route, method and status: looking up labels by name costs more than everything else here. Limited by the
 * number of existing ones.
 */
const known = new Map<string, Map<string, Series>>();

function seriesOf(method: string, route: string, status: number): Series {
  let ofRoute = known.get(route);
  if (!ofRoute) known.set(route, (ofRoute = new Map<string, Series>()));
  const key = `${method} ${status}`;
  let series = ofRoute.get(key);
  if (!series) {
    const labels = { method, route, status };
    series = { count: requests.labels(labels), duration: requestDuration.labels(labels) };
    ofRoute.set(key, series);
  }
  return series;
}

/** Counts a request that was rejected early; `reason` is one of a few fixed words. */
export function countRejected(reason: string): void {
  rejected.inc({ reason });
}

/** Counts a response to a git client that was generated for another one. */
export function countSharedPack(): void {
  sharedPacks.inc();
}

/** Counts a read of a list that a replica may answer, by who has. */
export function countRead(server: 'replica' | 'primary'): void {
  reads.inc({ server });
}

/** Counts an attempt to pass an email to the mail server. */
export function countMail(result: 'sent' | 'failed'): void {
  mails.inc({ result });
}

/** Counts a failed request to the object store. */
export function countStoreError(): void {
  storeErrors.inc();
}

/** Counts an uncaught error; `origin` as Node names it. */
export function countFatal(origin: string): void {
  fatalErrors.inc({ origin });
}

/** Counts a run of a job. */
export function observeJob(queue: string, job: string, result: JobResult, seconds: number): void {
  jobs.inc({ queue, job, result });
  jobDuration.observe({ queue, job }, seconds);
}

/**
 * Interval of prom-client's own event loop monitor, so that it never wakes the process: ours, which pauses,
 * replaces it.
 */
const NEVER = 2 ** 31 - 1;

let isStarted = false;

/** Starts process_*, nodejs_* and the event loop watchdog; a second call does nothing. */
export function startProcessMetrics(): void {
  if (isStarted) return;
  isStarted = true;
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: NEVER });
  watchEventLoop(metrics);
}
