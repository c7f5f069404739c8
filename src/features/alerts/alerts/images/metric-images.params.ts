import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindAlert } from '../alerts.params.js';

/** Link beside an image; with an upload also as fields of the form. */
class ImageLink extends FindAlert {
  @Text({ optional: true, nullable: true, maxLength: 255, description: 'http or https' })
  url?: string | null;

  @Text({ optional: true, nullable: true, maxLength: 128 })
  url_text?: string | null;
}

/** A new image of an alert; the form has it as `file`. */
export class UploadMetricImage extends ImageLink {}

/** One image of an alert. */
export class FindMetricImage extends FindAlert {
  @Id()
  image_id!: number;
}

/** A change of what an image is linked with. */
export class UpdateMetricImage extends ImageLink {
  @Id()
  image_id!: number;
}
