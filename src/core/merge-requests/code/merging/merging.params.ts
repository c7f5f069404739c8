import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';

const MAX_MESSAGE = 65_536;

/** Path parameters of a merge request. */
export class FindMergeRequestCodeParams {
  @Id({ min: 1 })
  merge_request_iid!: number;
}

/** Parameters of a merge. */
export class MergeMergeRequestParams extends FindMergeRequestCodeParams {
  @Text({ optional: true, maxLength: MAX_MESSAGE, description: 'Instead of the message of the template' })
  merge_commit_message?: string;

  @Text({ optional: true, maxLength: MAX_MESSAGE, description: 'Instead of the message of the template' })
  squash_commit_message?: string;

  @Flag({ optional: true, description: 'Combine all commits into one' })
  squash?: boolean;

  @Flag({ optional: true })
  should_remove_source_branch?: boolean;

  @Flag({ optional: true, description: 'Merge it when the current pipeline succeeds' })
  merge_when_pipeline_succeeds?: boolean;

  @Flag({ optional: true, description: 'The same as merge_when_pipeline_succeeds' })
  auto_merge?: boolean;

  @Text({
    optional: true,
    maxLength: 64,
    description: 'Merge it only if this is the head of the source branch',
  })
  sha?: string;
}

/** Parameters of a rebase. */
export class RebaseMergeRequestParams extends FindMergeRequestCodeParams {
  @Flag({ optional: true, description: 'Make no pipeline for it' })
  skip_ci?: boolean;
}
