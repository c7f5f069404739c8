import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';

/** A metric image of an alert (`ops.md` 5.7). */
export class MetricImageRecord {
  @Id()
  id!: number;

  @IsoTime()
  created_at!: string;

  @Text({ example: 'load.png' })
  filename!: string;

  @Text({ description: 'Path of the image itself on this host, which requires the same rights' })
  file_path!: string;

  @Text({ nullable: true, description: 'URL with more information' })
  url!: string | null;

  @Text({ nullable: true })
  url_text!: string | null;
}

/** Row of an image `m`. */
export interface MetricImageRow {
  readonly id: number;
  readonly filename: string;
  readonly url: string | null;
  readonly url_text: string | null;
  readonly created_at: string;
}

/** Select list of a `MetricImageRow`. */
export const METRIC_IMAGE_COLUMNS = `m.id, m.filename, m.url, m.url_text, ${isoTimeSql('m.created_at')} as created_at`;

/** The alert of an image. */
export interface AlertOfImage {
  readonly projectId: number;
  readonly alertIid: number;
}

/** Presents an image. */
export function presentMetricImage(
  row: MetricImageRow,
  { projectId, alertIid }: AlertOfImage,
  links: Links,
): MetricImageRecord {
  const path = `/projects/${projectId}/alert_management_alerts/${alertIid}/metric_images/${row.id}/file`;
  return {
    id: row.id,
    created_at: row.created_at,
    filename: row.filename,
    file_path: new URL(links.api(path)).pathname,
    url: row.url,
    url_text: row.url_text,
  };
}
