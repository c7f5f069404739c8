import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Anything, Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** An event of an error, in lists. */
export class ErrorEventRecord {
  @Id()
  id!: number;

  @Text({ description: 'Id that the SDK gave it', example: '9ec79c33ec9942ab8353589fcb2e04dc' })
  event_id!: string;

  @Id({ nullable: true, description: 'Null until it is determined' })
  error_id!: number | null;

  @Text({ nullable: true, example: 'error' })
  level!: string | null;

  @Text({ nullable: true })
  environment!: string | null;

  @Text({ nullable: true })
  release!: string | null;

  @IsoTime({ description: 'Time of the event, as reported by the application' })
  occurred_at!: string;

  @IsoTime()
  received_at!: string;
}

/** An event with everything that the SDK has sent. */
export class ErrorEventDetailsRecord extends ErrorEventRecord {
  @Anything({ description: 'The event as sent by the SDK' })
  payload!: unknown;
}

/** Select list of the record, for an alias `v`. */
export const ERROR_EVENT_COLUMNS = `v.id, replace(v.event_id::text, '-', '') as event_id, v.error_id, v.level, v.environment, v.release,
  ${isoTimeSql('v.occurred_at')} as occurred_at, ${isoTimeSql('v.received_at')} as received_at`;

/** Row of a single event: its payload is JSON text. */
export interface ErrorEventRow extends ErrorEventRecord {
  readonly payload: string;
}

/** Presents an event; with a null payload if that cannot be parsed. */
export const presentErrorEvent = ({ payload, ...event }: ErrorEventRow): ErrorEventDetailsRecord => ({
  ...event,
  payload: parsed(payload),
});

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return null;
  }
}
