import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { METRIC_IMAGE_COLUMNS, type AlertOfImage, type MetricImageRow } from './metric-image.record.js';

const SHAPE: ListShape = {
  kind: 'Metric Image',
  select: METRIC_IMAGE_COLUMNS,
  from: 'alert_metric_images m',
  key: 'm.id',
};

const FILE = `select m.filename, m.object_key as key, m.content_type as type, m.size, m.sha256, m.created_at as "modifiedAt"
  from alert_metric_images m join alerts a on a.id = m.alert_id where a.project_id = $1 and a.iid = $2 and m.id = $3`;

/** An image to send. */
export interface StoredImage {
  readonly filename: string;
  readonly key: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly modifiedAt: Date;
}

/** Reads images of alerts. */
@Injectable()
export class MetricImagesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the images of an alert; empty if the alert does not exist. */
  list({ projectId, alertIid }: AlertOfImage): ListQuery<MetricImageRow> {
    const query = new ListQuery<MetricImageRow>(SHAPE);
    return query
      .ofSelected('m.alert_id', 'select id from alerts where project_id = ? and iid = ?', projectId, alertIid)
      .orderBy('m.id', 'asc');
  }

  /** Returns the location of an image's content; null if the alert has no such image. */
  file({ projectId, alertIid }: AlertOfImage, id: number): Promise<StoredImage | null> {
    return this.database.one<StoredImage>(FILE, [projectId, alertIid, id]);
  }
}
