import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Count, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** States of errors: a resolved one is open again when it happens again, an ignored one stays so. */
export const ERROR_STATUSES = ['unresolved', 'resolved', 'ignored'] as const;

/** State of an error. */
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

/** An error: all events that have the same cause (`decisions.md` 3). */
export class TrackedErrorRecord {
  @Id()
  id!: number;

  @Text({ description: 'Type of the exception, or the message', example: 'TypeError' })
  name!: string;

  @Text({ nullable: true, description: 'What the last event says' })
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

  @Count({ description: 'Different users whom it has concerned since it was first seen' })
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

/** The columns of the record, of a table `e`. */
export const ERROR_COLUMNS = `e.id, e.project_id, e.name, e.description, e.actor, e.level, e.platform, e.status, e.events_count, e.users_count,
  ${isoTimeSql('e.first_seen_at')} as first_seen_at, ${isoTimeSql('e.last_seen_at')} as last_seen_at, e.environment, e.release`;

/** An error as it is read. */
export interface TrackedErrorRow extends TrackedErrorRecord {
  readonly project_id: number;
}

/** The record of an error. */
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
