import { Count, Flag } from '#kernel/http/fields/scalar-fields.js';
import { LabelDetailRecord, presentLabelDetail, type LabelDetailRow } from './label-detail.record.js';

/** A label of a group (`planning.md` 5.6). */
export class GroupLabelRecord extends LabelDetailRecord {
  @Count({ optional: true, description: 'Of those that the caller can read, with with_counts' })
  open_issues_count?: number;

  @Count({ optional: true, description: 'Of those that the caller can read, with with_counts' })
  closed_issues_count?: number;

  @Count({ optional: true, description: 'Of those that the caller can read, with with_counts' })
  open_merge_requests_count?: number;

  @Flag({ description: 'Whether the caller hears of what gets the label' })
  subscribed!: boolean;
}

/** A label as a project shows it: its own, or of a group above it. */
export class ProjectLabelRecord extends GroupLabelRecord {
  @Count({ nullable: true, description: 'The lower, the more urgent; of this project alone' })
  priority!: number | null;

  @Flag()
  is_project_label!: boolean;
}

/** How many things that the caller can read have a label. */
export interface LabelCounts {
  readonly open_issues_count: number;
  readonly closed_issues_count: number;
  readonly open_merge_requests_count: number;
}

/** A label as it is read. */
export interface LabelRow extends LabelDetailRow {
  readonly project_id: number | null;
  readonly group_id: number | null;
  readonly subscribed: boolean;
  readonly priority: number | null;
  readonly is_project_label: boolean;
  readonly counts: LabelCounts | null;
}

/** The record of a label in a group. */
export const presentGroupLabel = (row: LabelRow): GroupLabelRecord =>
  Object.assign(presentLabelDetail(row), row.counts, { subscribed: row.subscribed });

/** The record of a label in a project. */
export const presentProjectLabel = (row: LabelRow): ProjectLabelRecord =>
  Object.assign(presentGroupLabel(row), {
    priority: row.priority,
    is_project_label: row.is_project_label,
  });
