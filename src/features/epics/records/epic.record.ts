import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, Id, IsoDate, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { Labels } from '#core/issuables/fields/labels-field.js';
import { ReferencesRecord } from '#core/issuables/references.record.js';
import type { LabelDetailRecord } from '#core/labels/label-detail.record.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';

/** URLs about an epic. */
export class EpicLinksRecord {
  @Text()
  self!: string;

  @Text()
  epic_issues!: string;

  @Text()
  group!: string;

  @Text({ nullable: true, description: 'The parent epic' })
  parent!: string | null;
}

/** An epic in records of what belongs to it (`api-v4.md` 2.14). */
export class EpicBasicRecord {
  @Id()
  id!: number;

  @Id({ description: 'Number within the group' })
  iid!: number;

  @Id()
  group_id!: number;

  @Text({ example: 'A shop that sells abroad' })
  title!: string;

  @Text({ nullable: true })
  description!: string | null;

  @Nested(() => UserBasicRecord, { nullable: true })
  author!: UserBasicRecord | null;

  @IsoDate({ nullable: true })
  start_date!: string | null;

  @IsoDate({ nullable: true, description: 'The same as due_date' })
  end_date!: string | null;
}

/** An epic (`planning.md` 3.1). */
export class EpicRecord extends EpicBasicRecord {
  @Id({ nullable: true, description: 'Parent epic, if the caller can read it' })
  parent_id!: number | null;

  @Id({ nullable: true, description: 'Its number in its own group' })
  parent_iid!: number | null;

  @Flag({ description: 'Only for Reporters of the group and above' })
  confidential!: boolean;

  @Flag({ optional: true, description: 'Only for users who may change it' })
  start_date_is_fixed?: boolean;

  @IsoDate({ optional: true, nullable: true, description: 'Only for users who may change it' })
  start_date_fixed?: string | null;

  @IsoDate({
    optional: true,
    nullable: true,
    description: 'Earliest of the milestones of its issues, and of its child epics',
  })
  start_date_from_inherited_source?: string | null;

  @IsoDate({ optional: true, nullable: true, description: 'The same' })
  start_date_from_milestones?: string | null;

  @IsoDate({ nullable: true })
  due_date!: string | null;

  @Flag({ optional: true, description: 'Only for users who may change it' })
  due_date_is_fixed?: boolean;

  @IsoDate({ optional: true, nullable: true, description: 'Only for users who may change it' })
  due_date_fixed?: string | null;

  @IsoDate({
    optional: true,
    nullable: true,
    description: 'Latest of the milestones of its issues, and of its child epics',
  })
  due_date_from_inherited_source?: string | null;

  @IsoDate({ optional: true, nullable: true, description: 'The same' })
  due_date_from_milestones?: string | null;

  @OneOf(['opened', 'closed'])
  state!: 'opened' | 'closed';

  @Text({ example: '/groups/shop/-/epics/5' })
  web_edit_url!: string;

  @Text()
  web_url!: string;

  @Nested(() => ReferencesRecord)
  references!: ReferencesRecord;

  @Text({ example: '&5' })
  reference!: string;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @IsoTime({ nullable: true })
  closed_at!: string | null;

  @Labels({ description: 'Names in their order; records with with_labels_details' })
  labels!: (string | LabelDetailRecord)[];

  @Count()
  upvotes!: number;

  @Count()
  downvotes!: number;

  @Flag({ optional: true, description: 'Only for single epics: whether the caller is subscribed' })
  subscribed?: boolean;

  @Nested(() => EpicLinksRecord)
  _links!: EpicLinksRecord;
}
