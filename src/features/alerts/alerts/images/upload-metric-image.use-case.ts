import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { bind } from '#kernel/http/fields/binder.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { readUpload, type Upload } from '#kernel/http/bodies/files/upload.js';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import { ObjectStorage, type StoredObject } from '#kernel/object-storage/object-storage.js';
import { AlertsQueries } from '../alerts.queries.js';
import { imageLink, type ImageLinkValues } from './image-link.js';
import { imageType, SIGNATURE_BYTES } from '#kernel/images/image-type.js';
import { METRIC_IMAGE_COLUMNS, type MetricImageRow } from './metric-image.record.js';
import { UploadMetricImageParams } from './metric-images.params.js';

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_IMAGES = 100;
const MAX_NAME = 255;

const LOCK = 'select id from alerts where id = $1 for no key update';

const ADD = `insert into alert_metric_images as m (alert_id, filename, object_key, content_type, size, sha256, url, url_text)
  select $1, $2, $3, $4, $5, $6, $7, $8 where (select count(*) from alert_metric_images where alert_id = $1) < ${MAX_IMAGES}
  returning ${METRIC_IMAGE_COLUMNS}`;

/** An image whose content is stored. */
interface NewImage extends StoredObject, ImageLinkValues {
  readonly filename: string;
  readonly key: string;
  readonly type: string;
}

/** Stores images of alerts: first their content, then the row that refers to it, or neither. */
@Injectable()
export class UploadMetricImage {
  constructor(
    private readonly transactions: Transactions,
    private readonly claims: ObjectClaims,
    private readonly storage: ObjectStorage,
    private readonly alerts: AlertsQueries,
  ) {}

  /** Adds the file of a form. @throws 400 if it is not an image, 404, 413 */
  async run(
    request: ApiRequest,
    project: ProjectSubject,
    sent: UploadMetricImageParams,
  ): Promise<MetricImageRow> {
    const alertId = await this.alerts.idOf(project.id, sent.alert_iid);
    if (alertId === null) throw notFound('Alert');
    const upload = await readUpload(request, 'file', MAX_BYTES);
    try {
      const link = linkOf(upload, sent);
      const filename = plainName(upload.name);
      const type = imageType(filename, await beginningOf(upload.path));
      if (type === null) throw invalid({ file: ['is not an image of a supported type'] });
      return await this.store(project.id, alertId, upload, { filename, type, ...link });
    } finally {
      await upload.remove();
    }
  }

  private async store(
    projectId: number,
    alertId: number,
    { path }: Upload,
    image: Omit<NewImage, 'key' | keyof StoredObject>,
  ): Promise<MetricImageRow> {
    const key = await this.claims.claim(`alert-images/${projectId}`);
    try {
      const stored = await this.storage.put(key, createReadStream(path), { contentType: image.type });
      return await this.transactions.run((tx) => this.insert(tx, alertId, { ...image, ...stored, key }));
    } catch (error) {
      await this.claims.giveUp(key);
      throw error;
    }
  }

  private async insert(tx: Tx, alertId: number, image: NewImage): Promise<MetricImageRow> {
    // Serializes uploads to an alert, so that their limit holds.
    const [alert] = await tx.query<unknown[]>(LOCK, [alertId]);
    if (!alert) throw notFound('Alert');
    await this.claims.keep(tx, image.key);
    const { filename, key, type, size, sha256, url, urlText } = image;
    const values = [alertId, filename, key, type, size, sha256, url ?? null, urlText ?? null];
    const [added] = await tx.query<MetricImageRow[]>(ADD, values);
    if (!added) throw invalid({ base: [`an alert can have at most ${MAX_IMAGES} images`] });
    return added;
  }
}

/**
 * Clients send the link as fields of the form; a common one (gitbeaker 43) misspells `url_text` there.
 * @throws 400
 */
function linkOf({ fields }: Upload, { alert_iid, url, url_text }: UploadMetricImageParams): ImageLinkValues {
  const others = { url, url_text: url_text ?? fields.get('urlText') };
  const bound = bind(UploadMetricImageParams, [{ alert_iid }, Object.fromEntries(fields), others]);
  if (!bound.ok) throw invalid(bound.problems);
  return imageLink(bound.value);
}

/** Removes invisible characters; a long name keeps its end with the extension. */
const plainName = (name: string): string =>
  name
    .replace(/\p{Cc}/gu, '')
    .slice(-MAX_NAME)
    .toWellFormed();

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
