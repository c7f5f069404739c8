import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { dsnOf } from './dsn.js';

/** A key of error tracking (`api-v4.md` 2.11), with the name that v4 clients know of its DSN. */
export class ErrorTrackingClientKeyRecord {
  @Id()
  id!: number;

  @Flag()
  active!: boolean;

  @Text({ example: 'glet_0123456789abcdef0123456789abcdef' })
  public_key!: string;

  @Text({ description: 'What an SDK is configured with' })
  tracker_dsn!: string;

  @Text({ description: 'The same as tracker_dsn' })
  sentry_dsn!: string;
}

/** A key as it is read. */
export interface ClientKeyRow {
  readonly id: number;
  readonly project_id: number;
  readonly active: boolean;
  readonly public_key: string;
}

/** The record of a key; `base` is where the service is reached. */
export function presentClientKey(row: ClientKeyRow, base: string): ErrorTrackingClientKeyRecord {
  const { id, active, public_key: key } = row;
  const dsn = dsnOf(base, key, row.project_id);
  return { id, active, public_key: key, tracker_dsn: dsn, sentry_dsn: dsn };
}
