import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { REF } from '../commits/commits.params.js';

/** Formats of archives, with git's names. */
export const ARCHIVE_FORMATS = { 'tar.gz': 'tar.gz', tgz: 'tar.gz', tar: 'tar', zip: 'zip' } as const;

/** Parameters of an archive. */
export class GetArchiveParams {
  @OneOf(Object.keys(ARCHIVE_FORMATS), { optional: true, description: 'Default: tar.gz' })
  format?: keyof typeof ARCHIVE_FORMATS;

  @Text({ ...REF, optional: true, description: 'Branch, tag or id; default: the default branch' })
  sha?: string;

  @Text({ maxLength: 4096, optional: true, description: 'Only this folder or file' })
  path?: string;
}
