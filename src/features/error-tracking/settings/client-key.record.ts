import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { dsnOf } from './dsn.js';

/** A key of error tracking (`api-v4.md` 2.11), with the v4 name of its DSN. */
export class ErrorTrackingClientKeyRecord {
  @Id()
  id!: number;

  @Flag()
  active!: boolean;

  @Text({
    nullable: true,
    example: 'glet_0123456789abcdef0123456789abcdef',
    description: 'null for tokens that only read, as the DSN is',
  })
  public_key!: string | null;

  @Text({ nullable: true, description: 'URL for the configuration of an SDK' })
  tracker_dsn!: string | null;

  @Text({ nullable: true, description: 'The same as tracker_dsn' })
  sentry_dsn!: string | null;
}

/** Row of a key. */
export interface ClientKeyRow {
  readonly id: number;
  readonly project_id: number;
  readonly active: boolean;
  readonly public_key: string;
}

/** Presents a key; `base`: URL of the service; the key itself only for users who may see it. */
export function presentClientKey(
  row: ClientKeyRow,
  base: string,
  isShown: boolean,
): ErrorTrackingClientKeyRecord {
  const { id, active } = row;
  const key = isShown ? row.public_key : null;
  const dsn = key === null ? null : dsnOf(base, key, row.project_id);
  return { id, active, public_key: key, tracker_dsn: dsn, sentry_dsn: dsn };
}
