import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Anything, Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** An event of an error, in lists. */
export class ErrorEventRecord {
  @Id()
  id!: number;

  @Text({ description: 'Id that the SDK gave it', example: '9ec79c33ec9942ab8353589fcb2e04dc' })
  event_id!: string;

  @Id({ nullable: true, description: 'Null for the moment until it is known' })
  error_id!: number | null;

  @Text({ nullable: true, example: 'error' })
  level!: string | null;

  @Text({ nullable: true })
  environment!: string | null;

  @Text({ nullable: true })
  release!: string | null;

  @IsoTime({ description: 'When it happened, says the application' })
  occurred_at!: string;

  @IsoTime()
  received_at!: string;
}

/** One event with all that the SDK has sent. */
export class ErrorEventDetailsRecord extends ErrorEventRecord {
  @Anything({ description: 'The event as the SDK has sent it' })
  payload!: unknown;
}

/** The columns of the record, of a table `v`. */
export const ERROR_EVENT_COLUMNS = `v.id, replace(v.event_id::text, '-', '') as event_id, v.error_id, v.level, v.environment, v.release,
  ${isoTimeSql('v.occurred_at')} as occurred_at, ${isoTimeSql('v.received_at')} as received_at`;

/** An event as it is read alone: its payload is JSON text. */
export interface ErrorEventRow extends ErrorEventRecord {
  readonly payload: string;
}

/** The record of one event; null as payload when that cannot be read. */
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
