import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** Settings of error tracking (`api-v4.md` 2.10), with the v4 name of the tracker's URL. */
export class ErrorTrackingSettingRecord {
  @Flag()
  active!: boolean;

  @Text({ nullable: true, description: 'Of a tracker elsewhere' })
  project_name!: string | null;

  @Text({ nullable: true, description: 'Of a tracker elsewhere' })
  tracker_external_url!: string | null;

  @Text({ nullable: true, description: 'The same as tracker_external_url' })
  sentry_external_url!: string | null;

  @Text({ nullable: true, description: 'Of a tracker elsewhere' })
  api_url!: string | null;

  @Flag({ description: 'Whether errors are kept by this service' })
  integrated!: boolean;
}

/** Row of the settings. */
export interface ErrorTrackingSettingRow {
  readonly active: boolean;
  readonly integrated: boolean;
  readonly project_name: string | null;
  readonly external_url: string | null;
  readonly api_url: string | null;
}

/** Presents the settings. */
export const presentErrorTrackingSetting = (row: ErrorTrackingSettingRow): ErrorTrackingSettingRecord => ({
  active: row.active,
  project_name: row.project_name,
  tracker_external_url: row.external_url,
  sentry_external_url: row.external_url,
  api_url: row.api_url,
  integrated: row.integrated,
});
