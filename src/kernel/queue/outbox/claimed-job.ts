import type { JsonObject } from '../job-definition.js';

/** A job that this process runs: the row as it was when the run began. */
export interface ClaimedJob {
  readonly id: number;
  readonly queue: string;
  readonly name: string;
  readonly payload: JsonObject;
  readonly correlationId: string | null;
  readonly attempt: number;
  readonly stalls: number;
  readonly runToken: string;
}

/** A job on its way through Redis: `token` names this hand-over, so that no later one is mistaken for it. */
export interface Handover {
  readonly id: number;
  readonly queue: string;
  readonly name: string;
  readonly token: string;
}

/** Columns of ClaimedJob, for `returning`. */
export const CLAIMED_COLUMNS = `background_jobs.id, queue, name, payload, correlation_id as "correlationId", attempt, stalls,
  run_token as "runToken"`;
