import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Id, IsoTime, OneOf } from '#kernel/http/fields/scalar-fields.js';
import { IssueRecord } from '../issue.record.js';

/** Types of links between issues. */
export const LINK_TYPES = ['relates_to', 'blocks', 'is_blocked_by'] as const;

/** Type of a link between issues. */
export type LinkType = (typeof LINK_TYPES)[number];

/** A link between two issues, in the direction in which it was created. */
export class IssueLinkRecord {
  @Id()
  id!: number;

  @Nested(() => IssueRecord)
  source_issue!: IssueRecord;

  @Nested(() => IssueRecord)
  target_issue!: IssueRecord;

  @OneOf(LINK_TYPES, { description: 'Relation of the source to the target' })
  link_type!: LinkType;
}

/** A linked issue. */
export class RelatedIssueRecord extends IssueRecord {
  @Id()
  issue_link_id!: number;

  @OneOf(LINK_TYPES, { description: 'Relation of the issue in the request to this one' })
  link_type!: LinkType;

  @IsoTime()
  link_created_at!: string;

  @IsoTime()
  link_updated_at!: string;
}
