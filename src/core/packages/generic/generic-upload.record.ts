import { partialOf } from '#kernel/http/fields/derived-fields.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import { PackageFileRecord } from '../package-file.record.js';

/** Response to publishing a file: a message, or on request the record of the file. */
export class GenericUploadRecord extends partialOf(PackageFileRecord) {
  @Text({ optional: true, example: '201 Created' })
  message?: string;
}
