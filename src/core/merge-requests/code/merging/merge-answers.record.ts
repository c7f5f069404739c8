import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** A rebase has been asked for. */
export class RebaseRecord {
  @Flag({ description: 'Always true: a job does it' })
  rebase_in_progress!: boolean;
}

/** What a merge request would be merged to. */
export class MergeRefRecord {
  @Text({ description: 'The commit that refs/merge-requests/:iid/merge names' })
  commit_id!: string;
}
