import { Count, Flag, Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import type { Links } from '#kernel/http/links.js';
import { presentLabelDetail, type LabelDetailRecord } from '#core/labels/label-detail.record.js';
import { MilestoneRecord, presentMilestone } from '#core/milestones/milestone.record.js';
import { presentTimeStats, TimeStatsRecord } from '#core/notes/time-tracking/time-stats.record.js';
import {
  presentUserBasic,
  UserBasicRecord,
  presentUserIn,
  type PrefixedUser,
} from '#core/users/records/user-basic.record.js';
import type { IssuableRow } from './issuable-columns.sql.js';
import { Labels } from './fields/labels-field.js';
import { presentTasks, TaskCompletionRecord } from './task-completion.record.js';

/** Attributes that records of issues and merge requests share. */
export class IssuableRecord {
  @Id()
  id!: number;

  @Id({ description: 'Number within the project' })
  iid!: number;

  @Id()
  project_id!: number;

  @Text({ example: 'Pages load slowly' })
  title!: string;

  @Text({ nullable: true })
  description!: string | null;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @IsoTime({ nullable: true })
  closed_at!: string | null;

  @Nested(() => UserBasicRecord, { nullable: true })
  closed_by!: UserBasicRecord | null;

  @Labels({ description: 'Names in their order; records with with_labels_details' })
  labels!: (string | LabelDetailRecord)[];

  @Nested(() => MilestoneRecord, { nullable: true })
  milestone!: MilestoneRecord | null;

  @ListOf(() => UserBasicRecord)
  assignees!: UserBasicRecord[];

  @Nested(() => UserBasicRecord, { nullable: true })
  author!: UserBasicRecord | null;

  @Nested(() => UserBasicRecord, { nullable: true, description: 'The first of the assignees; use assignees' })
  assignee!: UserBasicRecord | null;

  @Count()
  user_notes_count!: number;

  @Count()
  upvotes!: number;

  @Count()
  downvotes!: number;

  @Flag({ nullable: true })
  discussion_locked!: boolean | null;

  @Nested(() => TimeStatsRecord)
  time_stats!: TimeStatsRecord;

  @Nested(() => TaskCompletionRecord)
  task_completion_status!: TaskCompletionRecord;
}

/** Presents a user read as JSON, or null. */
export const presentUserOrNull = (
  user: Parameters<typeof presentUserBasic>[0] | null,
  links: Links,
): UserBasicRecord | null => user && presentUserBasic(user, links);

/** Presents the author of a row with `AUTHOR_COLUMNS`; null if there is none. */
export const presentAuthor = (row: PrefixedUser<'a_'>, links: Links): UserBasicRecord | null =>
  presentUserIn(row, 'a_', links);

/** Presents the labels of a row, as they were read. */
export const presentLabels = (labels: IssuableRow['labels']): (string | LabelDetailRecord)[] =>
  labels.map((label) => (typeof label === 'string' ? label : presentLabelDetail(label)));

/** Presents the shared attributes. */
export function presentIssuable(row: IssuableRow, links: Links): IssuableRecord {
  const assignees = row.assignees.map((user) => presentUserBasic(user, links));
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    closed_by: presentUserOrNull(row.closed_by, links),
    labels: presentLabels(row.labels),
    milestone: row.milestone && presentMilestone(row.milestone, links),
    assignees,
    author: presentAuthor(row, links),
    assignee: assignees[0] ?? null,
    user_notes_count: row.user_notes_count,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    discussion_locked: row.discussion_locked,
    time_stats: presentTimeStats(row),
    task_completion_status: presentTasks(row),
  };
}
