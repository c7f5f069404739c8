import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** The short form of an environment, as deployments embed it. */
export class EnvironmentBasicRecord {
  @Id()
  id!: number;

  @Text({ example: 'review/fix-foo' })
  name!: string;

  @Text({ example: 'review-fix-foo-dfjre3' })
  slug!: string;

  @Text({ nullable: true })
  external_url!: string | null;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;
}

/** Row of the short form. */
export interface EnvironmentBasicRow {
  readonly e_id: number;
  readonly e_name: string;
  readonly e_slug: string;
  readonly e_external_url: string | null;
  readonly e_created_at: string;
  readonly e_updated_at: string;
}

/** Select list of an `EnvironmentBasicRow`, for an environment `e`. */
export const ENVIRONMENT_BASIC_COLUMNS = `e.id as e_id, e.name as e_name, e.slug as e_slug, e.external_url as e_external_url,
  ${isoTimeSql('e.created_at')} as e_created_at, ${isoTimeSql('e.updated_at')} as e_updated_at`;

/** Presents the short form. */
export function presentEnvironmentBasic(row: EnvironmentBasicRow): EnvironmentBasicRecord {
  return {
    id: row.e_id,
    name: row.e_name,
    slug: row.e_slug,
    external_url: row.e_external_url,
    created_at: row.e_created_at,
    updated_at: row.e_updated_at,
  };
}
