import { Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { REF } from '../commits/commits.params.js';

/** Parameters of a list of tree entries. */
export class ListTreeParams {
  @Text({ maxLength: 4096, optional: true, description: 'Folder; default: the root' })
  path?: string;

  @Text({ ...REF, optional: true, description: 'Branch, tag or id; default: the default branch' })
  ref?: string;

  @Flag({ optional: true, description: 'Include the entries of all subfolders' })
  recursive?: boolean;

  @Text({
    maxLength: 8000,
    optional: true,
    description: 'With pagination=keyset: where the page begins, from the Link header',
  })
  page_token?: string;
}

/** An entry of a tree: a folder, a file or a submodule. */
export class TreeEntryRecord {
  @Text({ example: 'a1e8f8d745cc87e3a9248358d9352bb7f9a0aeba' })
  id!: string;

  @Text()
  name!: string;

  @OneOf(['tree', 'blob', 'commit'])
  type!: 'tree' | 'blob' | 'commit';

  @Text({ description: 'From the root of the repository' })
  path!: string;

  @Text({ example: '040000' })
  mode!: string;
}
