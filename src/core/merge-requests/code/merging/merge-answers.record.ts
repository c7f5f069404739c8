import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** Response to a rebase request. */
export class RebaseRecord {
  @Flag({ description: 'Always true: a job does the work' })
  rebase_in_progress!: boolean;
}

/** Result commit of a trial merge. */
export class MergeRefRecord {
  @Text({ description: 'The commit that refs/merge-requests/:iid/merge names' })
  commit_id!: string;
}
