import { Injectable } from '@nestjs/common';
import { redactParams, redactText } from '#kernel/log/redaction.js';
import { definedNames } from '../job-definition.js';
import { QueuePool } from '../outbox/queue-pool.js';

/** State of a job from an operator's point of view. */
export const JOB_STANDINGS = ['waiting', 'running', 'delayed', 'failed'] as const;

/** One of these states. */
export type JobStanding = (typeof JOB_STANDINGS)[number];

/** A job from an operator's point of view: without secrets, long texts truncated. */
export interface ListedJob {
  readonly id: number;
  readonly queue: string;
  readonly name: string;
  readonly standing: JobStanding;
  readonly attempt: number;
  /** JSON; null if too large to be shown. */
  readonly payload: string | null;
  readonly runAt: Date;
  /** How long it has been running. */
  readonly runningSeconds: number | null;
  readonly failedAt: Date | null;
  /** Of the last failed attempt. */
  readonly error: string | null;
  readonly correlationId: string | null;
  /** Whether an operator may discard it. */
  readonly isDiscardable: boolean;
}

interface Row extends Omit<ListedJob, 'payload'> {
  readonly payload: Readonly<Record<string, unknown>> | null;
}

/** Limit of a payload that is read. */
const MAX_PAYLOAD = 16_384;
const MAX_SHOWN = 2_000;

/** Filter of jobs: by state or none, by queue or none. */
export interface JobFilter {
  readonly standing?: JobStanding | undefined;
  readonly queue?: string | undefined;
}

const CONDITIONS: Readonly<Record<JobStanding, string>> = {
  waiting: `(state = 'handed' or state = 'pending' and run_at <= now())`,
  running: `state = 'running'`,
  delayed: `state = 'pending' and run_at > now()`,
  failed: `state = 'failed'`,
};

/** Condition for jobs that failed for good, or that are of no kind in `names` and so never end by themselves. */
export const discardable = (names: string): string =>
  `(state = 'failed' or state in ('pending', 'handed') and name <> all(${names}::text[]))`;

const ORDERS: Readonly<Record<JobStanding, string>> = {
  waiting: 'run_at, id',
  running: 'started_at, id',
  delayed: 'run_at, id',
  failed: 'failed_at desc, id desc',
};

const STANDING = `case when ${CONDITIONS.waiting} then 'waiting' when ${CONDITIONS.delayed} then 'delayed' else state end`;

const from = (standing: JobStanding | undefined): string =>
  `from background_jobs where ${standing ? CONDITIONS[standing] : 'true'} and ($1::text is null or queue = $1)`;

const list = (
  standing: JobStanding | undefined,
): string => `select id, queue, name, ${STANDING} as standing, attempt,
    case when octet_length(payload::text) <= ${MAX_PAYLOAD} then payload end as payload, run_at as "runAt",
    case when state = 'running' then extract(epoch from now() - started_at)::float8 end as "runningSeconds",
    failed_at as "failedAt", error_class || ': ' || error_message as error, split_part(correlation_id, ' ', 1) as "correlationId",
    ${discardable('$4')} as "isDiscardable"
  ${from(standing)} order by ${standing ? ORDERS[standing] : 'id desc'} limit $2 offset $3`;

const count = (standing: JobStanding | undefined): string =>
  `select count(*)::int as total from (select ${from(standing)} limit $2) jobs`;

/** Lists jobs for operators. */
@Injectable()
export class JobListing {
  constructor(private readonly pool: QueuePool) {}

  /**
   * Lists the jobs in a state: longest waiting or running, next due or last failed first. Without a state:
   * newest first.
   */
  async list({ standing, queue }: JobFilter, limit: number, offset = 0): Promise<ListedJob[]> {
    const values = [queue ?? null, limit, offset, definedNames()];
    const rows = await this.pool.query<Row & Record<string, unknown>>(undefined, list(standing), values);
    return rows.map((row) => ({
      ...row,
      payload: row.payload && shown(row.payload),
      error: row.error === null ? null : redactText(row.error),
    }));
  }

  /** Counts them up to a limit. */
  async count({ standing, queue }: JobFilter, horizon: number): Promise<number> {
    const values = [queue ?? null, horizon];
    const [row] = await this.pool.query<{ total: number }>(undefined, count(standing), values);
    return row?.total ?? 0;
  }
}

/** Truncates long texts and removes values named like secrets. */
function shown(payload: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(redactParams(payload));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
