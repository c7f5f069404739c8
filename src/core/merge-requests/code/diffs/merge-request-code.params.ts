import { Flag, Id } from '#kernel/http/fields/scalar-fields.js';
import { FindMergeRequestCodeParams } from '../merging/merging.params.js';

/** Parameters of the changes of a merge request. */
export class ShowMergeRequestDiffsParams extends FindMergeRequestCodeParams {
  @Flag({ optional: true, description: 'Start each diff with the file names' })
  unidiff?: boolean;
}

/** Parameters of the deprecated route of the changes. */
export class ShowMergeRequestChangesParams extends ShowMergeRequestDiffsParams {
  @Flag({ optional: true, description: 'No effect: the limits apply to all callers' })
  access_raw_diffs?: boolean;
}

/** Path parameters of a version of a merge request. */
export class FindMergeRequestVersionParams extends ShowMergeRequestDiffsParams {
  @Id({ min: 1 })
  version_id!: number;
}
