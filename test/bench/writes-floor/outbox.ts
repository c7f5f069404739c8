import { randomBytes } from 'node:crypto';
import { ask, statement, type Asked } from './database.js';

/** A job of the background. */
export interface QueuedJob {
  readonly queue: string;
  readonly name: string;
  readonly payload: object;
  readonly dedupe_key?: string;
  readonly delay_ms?: number;
}

/** Changes of a waiting job when another one is merged into it. */
const ON_CONFLICT = `on conflict (name, dedupe_key) where dedupe_key is not null and state in ('pending', 'handed')
  do update set run_at = case when background_jobs.attempt = 0 then least(background_jobs.run_at, excluded.run_at) else background_jobs.run_at end`;

const QUEUE = statement(
  'queue',
  `insert into background_jobs (queue, name, payload, dedupe_key, correlation_id, run_at)
   select q.queue, q.name, q.payload, q.dedupe_key, $2, clock_timestamp() + coalesce(q.delay_ms, 0) * interval '1 ms'
   from jsonb_to_recordset($1::jsonb) as q(queue text, name text, payload jsonb, dedupe_key text, delay_ms int) ${ON_CONFLICT}`,
);

/** Correlation id of a request in its jobs. */
export const correlation = (): string => randomBytes(9).toString('base64url');

/** Writes jobs into the outbox. */
export const enqueue = (...jobs: QueuedJob[]): Asked<unknown> => ask(QUEUE, JSON.stringify(jobs), correlation());

const EVENT = statement(
  'event',
  `with active as (update projects set last_activity_at = $7 where id = (
     select id from projects where id = $1 and last_activity_at < $7::timestamptz - interval '1 hour' for no key update skip locked))
   insert into events (project_id, author_id, kind, target_id, target_iid, subject_id, created_at) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
);

/** An action of a user on an object. */
export interface Happened {
  readonly projectId: number;
  readonly authorId: number;
  readonly kind: number;
  readonly id: number;
  readonly iid: number;
  readonly subjectId: number;
}

/** Writes an event of the activity. */
export const happened = ({ projectId, authorId, kind, id, iid, subjectId }: Happened): Asked<unknown> =>
  ask(EVENT, projectId, authorId, kind, id, iid, subjectId, new Date());
