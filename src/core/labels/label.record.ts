import { Count, Flag } from '#kernel/http/fields/scalar-fields.js';
import { LabelDetailRecord, presentLabelDetail, type LabelDetailRow } from './label-detail.record.js';

/** A label of a group (`planning.md` 5.6). */
export class GroupLabelRecord extends LabelDetailRecord {
  @Count({ optional: true, description: 'Among those that the caller can read; only with with_counts' })
  open_issues_count?: number;

  @Count({ optional: true, description: 'Among those that the caller can read; only with with_counts' })
  closed_issues_count?: number;

  @Count({ optional: true, description: 'Among those that the caller can read; only with with_counts' })
  open_merge_requests_count?: number;

  @Flag({ description: 'Whether the caller is subscribed to the label' })
  subscribed!: boolean;
}

/** A label in a project: its own, or one of a group above. */
export class ProjectLabelRecord extends GroupLabelRecord {
  @Count({ nullable: true, description: 'Lower values are more urgent; only for this project' })
  priority!: number | null;

  @Flag()
  is_project_label!: boolean;
}

/** Numbers of issuables with a label that the caller can read. */
export interface LabelCounts {
  readonly open_issues_count: number;
  readonly closed_issues_count: number;
  readonly open_merge_requests_count: number;
}

/** Row of a label. */
export interface LabelRow extends LabelDetailRow {
  readonly project_id: number | null;
  readonly group_id: number | null;
  readonly subscribed: boolean;
  readonly priority: number | null;
  readonly is_project_label: boolean;
  readonly counts: LabelCounts | null;
}

/** Presents a label in a group. */
export const presentGroupLabel = (row: LabelRow): GroupLabelRecord =>
  Object.assign(presentLabelDetail(row), row.counts, { subscribed: row.subscribed });

/** Presents a label in a project. */
export const presentProjectLabel = (row: LabelRow): ProjectLabelRecord =>
  Object.assign(presentGroupLabel(row), {
    priority: row.priority,
    is_project_label: row.is_project_label,
  });
