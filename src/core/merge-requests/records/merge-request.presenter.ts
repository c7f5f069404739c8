import type { Values } from '#kernel/http/fields/derived-fields.js';
import type { Links } from '#kernel/http/links.js';
import { presentIssuable, presentUserOrNull } from '#core/issuables/issuable.record.js';
import { references } from '#core/issuables/references.record.js';
import { presentUserBasic } from '#core/users/records/user-basic.record.js';
import { detailedMergeStatus, type DetailedMergeStatus } from '../code/detailed-merge-status.js';
import { mergeRequestPath } from './merge-request-simple.record.js';
import type { MergeRequestRecord } from './merge-request.record.js';
import type { MergeRequestRow } from '../merge-request.row.js';

/** Returns whether a merge request can be merged, or why not. */
export const detailedStatusOf = (row: MergeRequestRow): DetailedMergeStatus =>
  detailedMergeStatus({
    state: row.state,
    draft: row.draft,
    mergeStatus: row.merge_status,
    baseSha: row.base_sha,
    startSha: row.start_sha,
    pipelineStatus: row.pipeline_status,
    mergeMethod: row.merge_method,
    pipelineMustSucceed: row.needs_pipeline,
    allowSkippedPipeline: row.takes_skipped_pipeline,
    approved: row.approved,
    discussionsResolved: row.discussions_resolved,
  });

const squashOnMerge = ({ squash, squash_option: option }: MergeRequestRow): boolean =>
  option === 'always' || (option !== 'never' && squash);

/** Presents a merge request; `viewedFrom`: path of the project or group of the request, or null. */
export function presentMergeRequest(
  row: MergeRequestRow,
  links: Links,
  viewedFrom: string | null = row.full_path,
): Values<MergeRequestRecord> {
  const isFork = row.source_project_id !== row.project_id;
  const mergeUser = presentUserOrNull(row.merge_user, links);
  return Object.assign(presentIssuable(row, links), {
    state: row.state,
    web_url: links.base + mergeRequestPath(row.full_path, row.iid),
    merged_by: row.state === 'merged' ? mergeUser : null,
    merge_user: mergeUser,
    merged_at: row.merged_at,
    reviewers: row.reviewers.map((one) => presentUserBasic(one, links)),
    target_branch: row.target_branch,
    source_branch: row.source_branch,
    source_project_id: row.source_project_id,
    target_project_id: row.project_id,
    draft: row.draft,
    work_in_progress: row.draft,
    merge_when_pipeline_succeeds: row.has_auto_merge,
    merge_status: row.merge_status,
    detailed_merge_status: detailedStatusOf(row),
    sha: row.head_sha,
    merge_commit_sha: row.merge_commit_sha,
    squash_commit_sha: row.squash_commit_sha,
    should_remove_source_branch: row.should_remove_source_branch,
    force_remove_source_branch: row.force_remove_source_branch,
    ...(isFork
      ? { allow_collaboration: row.allow_collaboration, allow_maintainer_to_push: row.allow_collaboration }
      : {}),
    prepared_at: row.prepared_at,
    reference: `!${row.iid}`,
    references: references(row.full_path, row.iid, '!', viewedFrom),
    squash: row.squash,
    squash_on_merge: squashOnMerge(row),
    has_conflicts: row.merge_status === 'cannot_be_merged',
    blocking_discussions_resolved: row.discussions_resolved,
    approvals_before_merge: null,
  });
}
