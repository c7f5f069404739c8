import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { recordBetween } from '#kernel/http/fields/partial-record.js';
import { Count, Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { IssuableRecord } from '#core/issuables/issuable.record.js';
import { ReferencesRecord } from '#core/issuables/references.record.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { MERGE_STATUS, MERGED_BY } from '../merge-request-deprecations.js';
import { MERGE_REQUEST_STATES, MergeRequestSimpleRecord } from './merge-request-simple.record.js';
import type { MergeRequestState, MergeStatus } from '../merge-request.entity.js';

const MERGE_STATUSES = [
  'unchecked',
  'checking',
  'can_be_merged',
  'cannot_be_merged',
  'cannot_be_merged_recheck',
] as const;

/** A merge request in lists (`planning.md` 5.3). */
export class MergeRequestRecord extends IssuableRecord {
  @OneOf(MERGE_REQUEST_STATES)
  state!: MergeRequestState;

  @Text({ example: 'https://forge.example.com/group/project/-/merge_requests/1' })
  web_url!: string;

  @Nested(() => UserBasicRecord, { nullable: true, deprecated: MERGED_BY, description: 'Use merge_user' })
  merged_by!: UserBasicRecord | null;

  @Nested(() => UserBasicRecord, {
    nullable: true,
    description: 'User who merged it, or set it to be merged',
  })
  merge_user!: UserBasicRecord | null;

  @IsoTime({ nullable: true })
  merged_at!: string | null;

  @ListOf(() => UserBasicRecord)
  reviewers!: UserBasicRecord[];

  @Text()
  target_branch!: string;

  @Text()
  source_branch!: string;

  @Id({ nullable: true, description: 'Null if the fork no longer exists' })
  source_project_id!: number | null;

  @Id()
  target_project_id!: number;

  @Flag()
  draft!: boolean;

  @Flag({ description: 'The older name of draft' })
  work_in_progress!: boolean;

  @Flag()
  merge_when_pipeline_succeeds!: boolean;

  @OneOf(MERGE_STATUSES, { deprecated: MERGE_STATUS, description: 'Use detailed_merge_status' })
  merge_status!: MergeStatus;

  @Text({ example: 'mergeable' })
  detailed_merge_status!: string;

  @Text({ nullable: true, description: 'Head of the source branch' })
  sha!: string | null;

  @Text({ nullable: true })
  merge_commit_sha!: string | null;

  @Text({ nullable: true })
  squash_commit_sha!: string | null;

  @Flag({ nullable: true, description: 'Whether the user who merged it chose to remove the source branch' })
  should_remove_source_branch!: boolean | null;

  @Flag({ nullable: true, description: 'Setting of the author for the branch' })
  force_remove_source_branch!: boolean | null;

  @Flag({ optional: true, description: 'Only of merge requests from forks' })
  allow_collaboration?: boolean;

  @Flag({ optional: true, description: 'The older name of allow_collaboration' })
  allow_maintainer_to_push?: boolean;

  @IsoTime({ nullable: true, description: 'When code and pipelines were first checked' })
  prepared_at!: string | null;

  @Text({ example: '!1' })
  reference!: string;

  @Nested(() => ReferencesRecord)
  references!: ReferencesRecord;

  @Flag()
  squash!: boolean;

  @Flag({ description: 'Whether it will be squashed, according to the project' })
  squash_on_merge!: boolean;

  @Flag()
  has_conflicts!: boolean;

  @Flag()
  blocking_discussions_resolved!: boolean;

  @Count({ nullable: true, description: 'Always null: see the approval rules of the project' })
  approvals_before_merge!: number | null;
}

/** Element of a list: the short form with `view=simple`. */
export const ListedMergeRequestRecord = recordBetween(
  'ListedMergeRequestRecord',
  MergeRequestSimpleRecord,
  MergeRequestRecord,
);
