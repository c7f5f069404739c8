import { Flag, Id } from '#kernel/http/fields/scalar-fields.js';
import { FindMergeRequestCodeParams } from '../merging/merging.params.js';

/** The changes of a merge request. */
export class ShowMergeRequestDiffsParams extends FindMergeRequestCodeParams {
  @Flag({ optional: true, description: 'Begin each diff with the names of its file' })
  unidiff?: boolean;
}

/** The changes of a merge request, as the older route knows them. */
export class ShowMergeRequestChangesParams extends ShowMergeRequestDiffsParams {
  @Flag({ optional: true, description: 'Makes no difference: the limits hold for everybody' })
  access_raw_diffs?: boolean;
}

/** One version of a merge request. */
export class FindMergeRequestVersionParams extends ShowMergeRequestDiffsParams {
  @Id({ min: 1 })
  version_id!: number;
}
