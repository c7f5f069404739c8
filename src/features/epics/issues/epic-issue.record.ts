import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Id } from '#kernel/http/fields/scalar-fields.js';
import { IssueRecord } from '#core/issues/issue.record.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { EpicBasicRecord } from '../records/epic.record.js';

/** Deprecated: `assignees` contains all of them. */
const ASSIGNEE = { since: '2018-07-22', sunset: '2028-05-22' };

/** An issue in records of epics. */
export class IssueOfEpicRecord extends IssueRecord {
  @Nested(() => UserBasicRecord, { nullable: true, deprecated: ASSIGNEE, description: 'Use assignees' })
  override assignee!: UserBasicRecord | null;
}

/** An issue in the list of an epic (`api-v4.md` 2.14). */
export class EpicIssueRecord extends IssueOfEpicRecord {
  @Id({ description: 'Of the association of epic and issue' })
  epic_issue_id!: number;

  @Count({ description: 'Lower ones come first' })
  relative_position!: number;
}

/** An association of an issue with an epic. */
export class EpicIssueLinkRecord {
  @Id()
  id!: number;

  @Count({ description: 'Lower ones come first' })
  relative_position!: number;

  @Nested(() => EpicBasicRecord)
  epic!: EpicBasicRecord;

  @Nested(() => IssueOfEpicRecord)
  issue!: IssueOfEpicRecord;
}
