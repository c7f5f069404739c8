import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Id } from '#kernel/http/fields/scalar-fields.js';
import { IssueRecord } from '#core/issues/issue.record.js';
import { EpicBasicRecord } from '../epic.record.js';

/** An issue in the list of an epic (`api-v4.md` 2.14). */
export class EpicIssueRecord extends IssueRecord {
  @Id({ description: 'Of the association of epic and issue' })
  epic_issue_id!: number;

  @Count({ description: 'Lower ones come first' })
  relative_position!: number;
}

/** That an issue belongs to an epic. */
export class EpicIssueLinkRecord {
  @Id()
  id!: number;

  @Count({ description: 'Lower ones come first' })
  relative_position!: number;

  @Nested(() => EpicBasicRecord)
  epic!: EpicBasicRecord;

  @Nested(() => IssueRecord)
  issue!: IssueRecord;
}
