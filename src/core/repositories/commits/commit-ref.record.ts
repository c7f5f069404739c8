import { Count, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** A branch or tag that contains a commit. */
export class CommitRefRecord {
  @OneOf(['branch', 'tag'])
  type!: 'branch' | 'tag';

  @Text()
  name!: string;
}

/** Number of commits reachable from a commit, including itself. */
export class CommitSequenceRecord {
  @Count()
  count!: number;
}
