import { isoTimeSql } from '#kernel/database/time.sql.js';
import {
  issuableColumns,
  issuableFrom,
  peopleSql,
  userSql,
  type IssuableRow,
} from '#core/issuables/issuable-columns.sql.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import type { UserBasicRow } from '#core/users/records/user-basic.record.js';
import { APPROVED_SQL } from './approvals/approved.sql.js';
import type { MergeRequestState, MergeStatus } from './merge-request.entity.js';

/** A merge request as read for lists. */
export interface MergeRequestRow extends IssuableRow {
  readonly state: MergeRequestState;
  readonly source_project_id: number | null;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly merge_user: UserBasicRow | null;
  readonly reviewers: readonly UserBasicRow[];
  readonly draft: boolean;
  readonly merge_status: MergeStatus;
  readonly has_auto_merge: boolean;
  readonly merged_at: string | null;
  readonly prepared_at: string | null;
  readonly head_sha: string | null;
  readonly base_sha: string | null;
  readonly start_sha: string | null;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly should_remove_source_branch: boolean | null;
  readonly force_remove_source_branch: boolean | null;
  readonly allow_collaboration: boolean;
  readonly squash: boolean;
  readonly squash_option: string;
  readonly needs_pipeline: boolean;
  readonly takes_skipped_pipeline: boolean;
  readonly merge_method: string;
  readonly discussions_resolved: boolean;
  readonly approved: boolean;
  readonly pipeline_status: string | null;
}

/** Table of the reviewers. */
export const REVIEWERS = { table: 'merge_request_reviewers', key: 'merge_request_id' } as const;

/** Table of the assignees. */
export const ASSIGNEES = { table: 'merge_request_assignees', key: 'merge_request_id' } as const;

const setting = (name: string): string => `coalesce((p.settings->>'${name}')::boolean, false)`;

const UNRESOLVED = `exists (select 1 from notes t where t.noteable_type = 'MergeRequest' and t.noteable_id = m.id
  and t.type is not null and not t.system and t.resolved_at is null)`;

/** Select list of a `MergeRequestRow` without `userNotesCount`, over `MR_FROM`. */
export const mergeRequestColumns = (
  withLabelDetails = false,
): string => `${issuableColumns(MERGE_REQUEST, withLabelDetails)}, m.state,
  m.source_project_id, m.source_branch, m.target_branch, ${userSql('m.merge_user_id')} as merge_user,
  ${peopleSql(REVIEWERS, 'm.id')} as reviewers, m.draft, m.merge_status, m.auto_merge is not null as has_auto_merge,
  ${isoTimeSql('m.merged_at')} as merged_at, ${isoTimeSql('m.prepared_at')} as prepared_at, m.head_sha, m.base_sha, m.start_sha,
  m.merge_commit_sha, m.squash_commit_sha, coalesce((m.auto_merge->>'shouldRemoveSourceBranch')::boolean, m.should_remove_source_branch) as should_remove_source_branch,
  m.force_remove_source_branch, m.allow_collaboration, coalesce((m.auto_merge->>'squash')::boolean, m.squash) as squash,
  coalesce(p.settings->>'squash_option', 'default_off') as squash_option,
  coalesce(p.settings->>'merge_method', 'merge') as merge_method,
  ${setting('only_allow_merge_if_pipeline_succeeds')} as needs_pipeline,
  ${setting('allow_merge_on_skipped_pipeline')} as takes_skipped_pipeline,
  not (${setting('only_allow_merge_if_all_discussions_are_resolved')} and ${UNRESOLVED}) as discussions_resolved, ${APPROVED_SQL} as approved,
  case when m.head_pipeline_id is not null then (select hp.status from ci_pipelines hp where hp.id = m.head_pipeline_id and hp.sha = m.head_sha) end as pipeline_status`;

/** Tables of a merge request: itself, its target project and its author. */
export const MR_FROM = issuableFrom(MERGE_REQUEST);
