import { randomUUID } from 'node:crypto';
import { GroupingService } from '#features/error-tracking/grouping/grouping.service.js';
import type { TestApi } from './api.js';

/** An event as the intake stores it. */
export interface WaitingRow {
  readonly payload: unknown;
  readonly eventId?: string;
  readonly level?: string;
  readonly environment?: string | null;
  readonly release?: string | null;
  /** Milliseconds since 1970; both default to now. */
  readonly occurredAt?: number;
  readonly receivedAt?: number;
}

/** An error as stored in its row. */
export interface ErrorRow {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly level: string;
  readonly status: string;
  readonly events_count: number;
  readonly users_count: number;
  readonly environment: string | null;
  readonly release: string | null;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
}

/** Stores events without the intake, so that only the test groups them, and reads the results. */
export class ErrorWorld {
  private readonly grouping: GroupingService;

  constructor(private readonly api: TestApi) {
    this.grouping = api.app.get(GroupingService, { strict: false });
  }

  /** Stores events that wait to be grouped. */
  async store(projectId: number, rows: readonly WaitingRow[]): Promise<void> {
    const now = Date.now();
    await this.api.sql(
      `insert into error_tracking_events (project_id, event_id, level, environment, release, occurred_at, received_at, payload)
       select $1, event_id, level, environment, release, occurred_at, received_at, payload
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::text[])
         as given(event_id, level, environment, release, occurred_at, received_at, payload)`,
      [
        projectId,
        rows.map((row) => row.eventId ?? randomUUID()),
        rows.map((row) => row.level ?? 'error'),
        rows.map((row) => row.environment ?? null),
        rows.map((row) => row.release ?? null),
        rows.map((row) => new Date(row.occurredAt ?? now)),
        rows.map((row) => new Date(row.receivedAt ?? now)),
        rows.map(({ payload }) => (typeof payload === 'string' ? payload : JSON.stringify(payload))),
      ],
    );
  }

  /** Groups one batch and returns its number of events. */
  async group(limit = 500): Promise<number> {
    return (await this.grouping.group(limit)).events;
  }

  /** Groups all waiting events. */
  async drain(limit = 500): Promise<void> {
    while ((await this.group(limit)) > 0);
  }

  /** Stores events and groups them. */
  async take(projectId: number, rows: readonly WaitingRow[]): Promise<void> {
    await this.store(projectId, rows);
    await this.drain();
  }

  /** The errors of a project by name. */
  errors(projectId: number): Promise<ErrorRow[]> {
    return this.api.sql<ErrorRow>(
      'select * from error_tracking_errors where project_id = $1 order by name, id',
      [projectId],
    );
  }

  /** Events of a project that are not grouped yet. */
  async waiting(projectId: number): Promise<number> {
    const [row] = await this.api.sql<{ total: number }>(
      'select count(*) as total from error_tracking_events where project_id = $1 and error_id is null',
      [projectId],
    );
    return row?.total ?? 0;
  }

  /** Hourly counts of the events of an error, by its name. */
  async hours(projectId: number): Promise<Record<string, Record<string, number>>> {
    const rows = await this.api.sql<{ name: string; hour: Date; count: number }>(
      `select e.name, h.hour, h.events_count as count from error_tracking_hours h
       join error_tracking_errors e on e.id = h.error_id where e.project_id = $1`,
      [projectId],
    );
    const hours: Record<string, Record<string, number>> = {};
    for (const { name, hour, count } of rows) (hours[name] ??= {})[hour.toISOString()] = count;
    return hours;
  }
}

/** An event of an exception, as SDKs send it. */
export const exceptionEvent = (type: string, changes: object = {}): object => ({
  platform: 'node',
  exception: {
    values: [
      {
        type,
        value: `${type} happened`,
        stacktrace: { frames: [{ filename: 'app.js', function: 'run', in_app: true, lineno: 1 }] },
      },
    ],
  },
  ...changes,
});
