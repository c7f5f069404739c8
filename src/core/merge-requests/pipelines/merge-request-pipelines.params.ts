import { Integer } from '#kernel/http/fields/scalar-fields.js';

/** The merge request whose pipelines are meant. */
export class FindMergeRequestPipelines {
  @Integer()
  merge_request_iid!: number;
}
