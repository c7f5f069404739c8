import { Id } from '#kernel/http/fields/scalar-fields.js';

/** Path parameters of the merge request of pipelines. */
export class FindMergeRequestPipelinesParams {
  @Id()
  merge_request_iid!: number;
}
