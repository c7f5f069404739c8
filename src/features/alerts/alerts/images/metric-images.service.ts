import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { notFound, nothingGiven } from '#kernel/http/errors.js';
import { imageLink } from './image-link.js';
import { METRIC_IMAGE_COLUMNS, type MetricImageRow } from './metric-image.record.js';
import type { FindMetricImageParams, UpdateMetricImageParams } from './metric-images.params.js';

const IS_THIS = 'a.id = m.alert_id and a.project_id = $1 and a.iid = $2 and m.id = $3';

const CHANGE = `with changed as (update alert_metric_images m
    set url = case when $4 then $5 else m.url end, url_text = case when $6 then $7 else m.url_text end
    from alerts a where ${IS_THIS} returning m.*)
  select ${METRIC_IMAGE_COLUMNS} from changed m`;

const REMOVE = `with removed as (delete from alert_metric_images m using alerts a where ${IS_THIS} returning 1) select 1 from removed`;

/** Updates and removes images of alerts; content is removed after the rows. */
@Injectable()
export class MetricImagesService {
  constructor(private readonly transactions: Transactions) {}

  /** Updates an image. @throws 400, 404 */
  async update(project: ProjectSubject, params: UpdateMetricImageParams): Promise<MetricImageRow> {
    const { url, urlText } = imageLink(params);
    if (url === undefined && urlText === undefined) throw nothingGiven();
    const link = [url !== undefined, url ?? null, urlText !== undefined, urlText ?? null];
    return this.one<MetricImageRow>(CHANGE, project, params, link);
  }

  /** Removes an image. @throws 404 */
  async remove(project: ProjectSubject, params: FindMetricImageParams): Promise<void> {
    await this.one(REMOVE, project, params, []);
  }

  private one<Row>(
    text: string,
    { id }: ProjectSubject,
    { alert_iid: iid, image_id: imageId }: FindMetricImageParams,
    values: readonly unknown[],
  ): Promise<Row> {
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<Row[]>(text, [id, iid, imageId, ...values]);
      if (!row) throw notFound('Metric Image');
      return row;
    });
  }
}
