import { randomUUID } from 'node:crypto';
import type { TestApi } from '../api.js';

/** Values of an error; missing ones are arbitrary. */
export interface TrackedErrorShape {
  readonly name?: string;
  readonly description?: string | null;
  readonly actor?: string | null;
  readonly level?: string;
  readonly status?: 'unresolved' | 'resolved' | 'ignored';
  readonly environment?: string | null;
  /** Ages of the events in hours, oldest first. */
  readonly hoursAgo?: readonly number[];
  /** Payload of each event, as sent by an SDK. */
  readonly payload?: unknown;
}

/** An error with its events, oldest first. */
export interface AddedError {
  readonly id: number;
  readonly events: readonly number[];
}

/** Inserts an error of a project by SQL, as if its events had been sent and grouped. */
export async function addTrackedError(
  api: TestApi,
  projectId: number,
  shape: TrackedErrorShape = {},
): Promise<AddedError> {
  const {
    name = 'TypeError',
    description = null,
    actor = null,
    level = 'error',
    status = 'unresolved',
  } = shape;
  const { environment = null, hoursAgo = [0], payload = { exception: { values: [{ type: name }] } } } = shape;
  const times = hoursAgo.map((hours) => new Date(Date.now() - hours * 3_600_000));
  const [error] = await api.sql<{ id: number }>(
    `insert into error_tracking_errors (project_id, group_key, name, description, actor, level, platform, status,
       events_count, environment, first_seen_at, last_seen_at)
     values ($1, decode(md5($2), 'hex'), $3, $4, $5, $6, 'node', $7, $8, $9, $10, $11) returning id`,
    [
      ...[projectId, randomUUID(), name, description, actor, level, status, times.length, environment],
      ...[times.at(0) ?? new Date(), times.at(-1) ?? new Date()],
    ],
  );
  const id = error?.id ?? 0;
  const events: number[] = [];
  for (const time of times) {
    const [event] = await api.sql<{ id: number }>(
      `insert into error_tracking_events (project_id, error_id, event_id, level, environment, occurred_at, payload)
       values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      [projectId, id, randomUUID(), level, environment, time, JSON.stringify(payload)],
    );
    events.push(event?.id ?? 0);
    await api.sql(
      `insert into error_tracking_hours values ($1, date_trunc('hour', $2::timestamptz), 1)
       on conflict (error_id, hour) do update set events_count = error_tracking_hours.events_count + 1`,
      [id, time],
    );
  }
  return { id, events };
}
