import { Id } from '#kernel/http/fields/scalar-fields.js';

/** The merge request whose pipelines are meant. */
export class FindMergeRequestPipelinesParams {
  @Id()
  merge_request_iid!: number;
}
