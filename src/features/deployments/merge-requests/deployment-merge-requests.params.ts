import { Id } from '#kernel/http/fields/scalar-fields.js';
import { MergeRequestFilters } from '#core/merge-requests/lists/list-merge-requests.params.js';

/** Filters and order of the merge requests of a deployment: those of all lists of merge requests. */
export class ListDeploymentMergeRequestsParams extends MergeRequestFilters {
  @Id()
  deployment_id!: number;
}
