/** SQL condition: this is the full name of the ref of a merge request, or a branch with such a name. */
export const namesMergeRequestSql = (ref: string): string => `${ref} ~ '^refs/merge-requests/[0-9]+/head$'`;

/**
 * SQL condition: the pipeline is of the ref of a merge request, not of a branch with the same name. A fork runs
 * those of its merge requests on its branches.
 */
export const isOfMergeRequestRefSql = (pipeline: string): string =>
  `(${pipeline}.merge_request_id is not null and ${namesMergeRequestSql(`${pipeline}.ref`)})`;
