import { Count, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** A branch or tag that contains a commit. */
export class CommitRefRecord {
  @OneOf(['branch', 'tag'])
  type!: 'branch' | 'tag';

  @Text()
  name!: string;
}

/** How many commits lead to one, itself included. */
export class CommitSequenceRecord {
  @Count()
  count!: number;
}
