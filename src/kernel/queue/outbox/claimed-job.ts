import type { JsonObject } from '../job-definition.js';

/** A job that this process runs: the row as of the start of the run. */
export interface ClaimedJob {
  readonly id: number;
  readonly queue: string;
  readonly name: string;
  readonly payload: JsonObject;
  /** Correlation id and trace of its origin, as returned by `jobOrigin`. */
  readonly origin: string | null;
  readonly attempt: number;
  readonly stalls: number;
  readonly runToken: string;
}

/**
 * A job handed over to Redis: `token` identifies this hand-over, so that it is not mistaken for a later one.
 */
export interface Handover {
  readonly id: number;
  readonly queue: string;
  readonly name: string;
  readonly token: string;
}

/** Columns of ClaimedJob, for `returning`. */
export const CLAIMED_COLUMNS = `background_jobs.id, queue, name, payload, correlation_id as origin, attempt, stalls,
  run_token as "runToken"`;
