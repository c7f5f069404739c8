import { partialOf } from '#kernel/http/fields/derived-fields.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import { PackageFileRecord } from '../package-file.record.js';

/** That a file was published: a message, or the record of the file where it was asked for. */
export class GenericUploadRecord extends partialOf(PackageFileRecord) {
  @Text({ optional: true, example: '201 Created' })
  message?: string;
}
