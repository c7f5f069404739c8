import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindAlertParams } from '../alerts.params.js';

/** Link of an image; in an upload also as fields of the form. */
class ImageLinkParams extends FindAlertParams {
  @Text({ optional: true, nullable: true, maxLength: 255, description: 'http or https' })
  url?: string | null;

  @Text({ optional: true, nullable: true, maxLength: 128 })
  url_text?: string | null;
}

/** Parameters of a new image, in the field `file` of the form. */
export class UploadMetricImageParams extends ImageLinkParams {}

/** Path parameters of an image. */
export class FindMetricImageParams extends FindAlertParams {
  @Id()
  image_id!: number;
}

/** Parameters of an update of an image's link. */
export class UpdateMetricImageParams extends ImageLinkParams {
  @Id()
  image_id!: number;
}
