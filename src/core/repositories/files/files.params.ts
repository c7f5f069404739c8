import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { CommitTargetParams, type Encoding } from '../commits/writes/commit-writes.params.js';
import { REF } from '../commits/commits.params.js';

const PATH = { maxLength: 4096, description: 'From the root, with %2F for each slash' } as const;

/** Path parameters of a file, with a ref. */
export class FindFileParams {
  @Text(PATH)
  file_path!: string;

  @Text({ ...REF, optional: true, description: 'Branch, tag or id; default: the default branch' })
  ref?: string;
}

/** A range of lines, both ends included. */
export class LineRange {
  @Integer({ min: 1, max: 1_000_000_000 })
  start!: number;

  @Integer({ min: 1, max: 1_000_000_000 })
  end!: number;
}

/** Parameters of a blame. */
export class BlameFileParams extends FindFileParams {
  @Nested(() => LineRange, { optional: true, description: 'Only these lines' })
  range?: LineRange;
}

/** Parameters that all changes of a file share. */
export class RemoveFileParams extends CommitTargetParams {
  @Text(PATH)
  file_path!: string;

  @Text({ maxLength: 64, optional: true, description: 'Refuse if the file has changed since this commit' })
  last_commit_id?: string;
}

/** Parameters of a new file, or of new content. */
export class WriteFileParams extends RemoveFileParams {
  @Text({ maxLength: 10 * 1024 * 1024, blank: true })
  content!: string;

  @OneOf(['text', 'base64'], { optional: true })
  encoding?: Encoding;

  @Flag({ optional: true, description: 'Whether the file can be executed' })
  execute_filemode?: boolean;
}
