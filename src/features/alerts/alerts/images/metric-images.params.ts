import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindAlertParams } from '../alerts.params.js';

/** Link beside an image; with an upload also as fields of the form. */
class ImageLinkParams extends FindAlertParams {
  @Text({ optional: true, nullable: true, maxLength: 255, description: 'http or https' })
  url?: string | null;

  @Text({ optional: true, nullable: true, maxLength: 128 })
  url_text?: string | null;
}

/** A new image of an alert; the form has it as `file`. */
export class UploadMetricImageParams extends ImageLinkParams {}

/** One image of an alert. */
export class FindMetricImageParams extends FindAlertParams {
  @Id()
  image_id!: number;
}

/** A change of what an image is linked with. */
export class UpdateMetricImageParams extends ImageLinkParams {
  @Id()
  image_id!: number;
}
