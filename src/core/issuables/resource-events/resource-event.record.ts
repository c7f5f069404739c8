import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import {
  LabelDetailRecord,
  presentLabelDetail,
  type LabelDetailRow,
} from '#core/labels/label-detail.record.js';
import { MilestoneRecord, presentMilestone, type MilestoneRow } from '#core/milestones/milestone.record.js';
import {
  presentUserBasic,
  UserBasicRecord,
  type UserBasicRow,
} from '#core/users/records/user-basic.record.js';

const ACTIONS = ['add', 'remove'] as const;
const STATES = ['opened', 'closed', 'merged', 'reopened', 'locked'] as const;

/** The issuable of an event. */
export interface ChangedIssuable {
  readonly type: 'Issue' | 'MergeRequest' | 'Epic';
  readonly id: number;
}

/** Attributes that all resource events share. */
export class ResourceEventRecord {
  @Id()
  id!: number;

  @Nested(() => UserBasicRecord, {
    nullable: true,
    description: 'Null if the user is unknown or no longer exists',
  })
  user!: UserBasicRecord | null;

  @IsoTime()
  created_at!: string;

  @OneOf(['Issue', 'MergeRequest', 'Epic'])
  resource_type!: ChangedIssuable['type'];

  @Id()
  resource_id!: number;
}

/** A label was added or removed. */
export class ResourceLabelEventRecord extends ResourceEventRecord {
  @Nested(() => LabelDetailRecord, { nullable: true, description: 'Null if the label no longer exists' })
  label!: LabelDetailRecord | null;

  @OneOf(ACTIONS)
  action!: (typeof ACTIONS)[number];
}

/** A milestone was added or removed. */
export class ResourceMilestoneEventRecord extends ResourceEventRecord {
  @Nested(() => MilestoneRecord, { nullable: true, description: 'Null if the milestone no longer exists' })
  milestone!: MilestoneRecord | null;

  @OneOf(ACTIONS)
  action!: (typeof ACTIONS)[number];

  @OneOf(STATES, { description: 'State of the object at that time' })
  state!: (typeof STATES)[number];
}

/** The state has changed. */
export class ResourceStateEventRecord extends ResourceEventRecord {
  @Text({ nullable: true, description: 'Of imported events' })
  source_commit!: string | null;

  @Id({ nullable: true, description: 'The merge request that closed the issue when it was merged' })
  source_merge_request_id!: number | null;

  @OneOf(STATES)
  state!: (typeof STATES)[number];
}

/** Columns that all events share. */
export interface ResourceEventRow {
  readonly id: number;
  readonly user: UserBasicRow | null;
  readonly created_at: string;
}

/** Row of a label event. */
export interface ResourceLabelEventRow extends ResourceEventRow, Pick<ResourceLabelEventRecord, 'action'> {
  readonly label: LabelDetailRow | null;
}

/** Row of a milestone event. */
export interface ResourceMilestoneEventRow
  extends ResourceEventRow, Pick<ResourceMilestoneEventRecord, 'action' | 'state'> {
  readonly milestone: MilestoneRow | null;
}

/** Row of a state event. */
export type ResourceStateEventRow = ResourceEventRow &
  Pick<ResourceStateEventRecord, 'source_commit' | 'source_merge_request_id' | 'state'>;

const presentEvent = (
  row: ResourceEventRow,
  issuable: ChangedIssuable,
  links: Links,
): ResourceEventRecord => ({
  id: row.id,
  user: row.user && presentUserBasic(row.user, links),
  created_at: row.created_at,
  resource_type: issuable.type,
  resource_id: issuable.id,
});

/** Presents a label event. */
export const presentLabelEvent = (
  row: ResourceLabelEventRow,
  issuable: ChangedIssuable,
  links: Links,
): ResourceLabelEventRecord =>
  Object.assign(presentEvent(row, issuable, links), {
    label: row.label && presentLabelDetail(row.label),
    action: row.action,
  });

/** Presents a milestone event. */
export const presentMilestoneEvent = (
  row: ResourceMilestoneEventRow,
  issuable: ChangedIssuable,
  links: Links,
): ResourceMilestoneEventRecord =>
  Object.assign(presentEvent(row, issuable, links), {
    milestone: row.milestone && presentMilestone(row.milestone, links),
    action: row.action,
    state: row.state,
  });

/** Presents a state event. */
export const presentStateEvent = (
  row: ResourceStateEventRow,
  issuable: ChangedIssuable,
  links: Links,
): ResourceStateEventRecord =>
  Object.assign(presentEvent(row, issuable, links), {
    source_commit: row.source_commit,
    source_merge_request_id: row.source_merge_request_id,
    state: row.state,
  });
