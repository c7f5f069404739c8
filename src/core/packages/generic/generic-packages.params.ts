import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { PACKAGE_STATUSES, type PackageStatus } from '../package.record.js';

/** No slash, blank, or anything special in paths or headers; and no `..`. */
const PLAIN = /^(?!\.+$)(?!.*\.\.)[A-Za-z0-9.\-_+]+$/;
const SIGNS = 'Letters, digits, dots, hyphens, underscores and plus signs';

/** Path parameters of a file of a generic package. */
export class FindGenericFileParams {
  @Text({ maxLength: 255, matches: PLAIN, description: SIGNS, example: 'tool' })
  package_name!: string;

  @Text({ maxLength: 255, matches: PLAIN, description: SIGNS, example: '1.2.0' })
  package_version!: string;

  @Text({ maxLength: 255, matches: PLAIN, description: SIGNS, example: 'tool.tar.gz' })
  file_name!: string;
}

/** Parameters for publishing a file; its content is the body, or the part `file` of a multipart body. */
export class PublishGenericFileParams extends FindGenericFileParams {
  @OneOf(PACKAGE_STATUSES, { optional: true, description: 'Status of the package; default: default' })
  status?: PackageStatus;

  @OneOf(['package_file'], { optional: true, description: 'Return the record of the file' })
  select?: 'package_file';
}
