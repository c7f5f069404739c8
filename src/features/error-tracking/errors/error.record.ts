import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Count, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Statuses of errors: a resolved one is reopened by a new event, an ignored one is not. */
export const ERROR_STATUSES = ['unresolved', 'resolved', 'ignored'] as const;

/** Status of an error. */
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

/** An error: all events with the same cause (`decisions.md` 3). */
export class TrackedErrorRecord {
  @Id()
  id!: number;

  @Text({ description: 'Type of the exception, or the message', example: 'TypeError' })
  name!: string;

  @Text({ nullable: true, description: 'Message of the last event' })
  description!: string | null;

  @Text({ nullable: true, description: 'Where it happens: a transaction, or a function and its file' })
  actor!: string | null;

  @Text({ example: 'error' })
  level!: string;

  @Text({ nullable: true, example: 'node' })
  platform!: string | null;

  @OneOf(ERROR_STATUSES)
  status!: ErrorStatus;

  @Count({ description: 'Since it was first seen; the events themselves are kept for 90 days' })
  events_count!: number;

  @Count({
    description:
      'Number of distinct users affected since it was first seen; one whom it has not affected for 90 days may be counted again',
  })
  users_count!: number;

  @IsoTime()
  first_seen_at!: string;

  @IsoTime()
  last_seen_at!: string;

  @Text({ nullable: true, description: 'That of the last event' })
  environment!: string | null;

  @Text({ nullable: true, description: 'That of the last event' })
  release!: string | null;
}

/** Select list of the record, for an alias `e`. */
export const ERROR_COLUMNS = `e.id, e.project_id, e.name, e.description, e.actor, e.level, e.platform, e.status, e.events_count, e.users_count,
  ${isoTimeSql('e.first_seen_at')} as first_seen_at, ${isoTimeSql('e.last_seen_at')} as last_seen_at, e.environment, e.release`;

/** Row of an error. */
export interface TrackedErrorRow extends TrackedErrorRecord {
  readonly project_id: number;
}

/** Presents an error. */
export const presentError = (row: TrackedErrorRow): TrackedErrorRecord => ({
  id: row.id,
  name: row.name,
  description: row.description,
  actor: row.actor,
  level: row.level,
  platform: row.platform,
  status: row.status,
  events_count: row.events_count,
  users_count: row.users_count,
  first_seen_at: row.first_seen_at,
  last_seen_at: row.last_seen_at,
  environment: row.environment,
  release: row.release,
});
