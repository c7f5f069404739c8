import {
  readResourceEvents,
  resourceEventUserIds,
  type ImportedResourceEvents,
} from '#core/issuables/resource-events/transfer/read-resource-events.js';
import { readLabelLinks, type ImportedLabel } from '#core/labels/transfer/read-label.js';
import { readNestedMilestone, type ImportedMilestone } from '#core/milestones/transfer/read-milestone.js';
import { authorNotes } from '#core/notes/transfer/author-note.js';
import { emojiUserIds, readEmoji, type ImportedEmoji } from '#core/notes/transfer/emoji.js';
import type { ImportedNote } from '#core/notes/transfer/imported-note.js';
import { isConfidential, noteUserIds, readNotes } from '#core/notes/transfer/read-notes.js';
import {
  MAX_WORK_SECONDS,
  readTimelogs,
  timelogUserIds,
  type ImportedTimelog,
} from '#core/notes/transfer/timelogs.js';
import {
  readSubscriptions,
  subscriptionUserIds,
  type ImportedSubscription,
} from '#core/subscriptions/transfer/subscriptions-transfer.js';
import type { ImportTarget } from '#core/transfer/import-target.js';
import { RecordRefused } from '#core/transfer/record-refused.js';
import { userIdsIn, userIdsOf } from '#core/transfer/source-ids.js';
import {
  dateIn,
  integerIn,
  neededTextIn,
  recordIn,
  recordsIn,
  textIn,
  timeIn,
  type SourceRecord,
} from '#core/transfer/source-record.js';
import { HEALTH_STATUSES, ISSUE_TYPES, SEVERITIES, type Issue } from '../issue.entity.js';

/** The columns of an issue, as the statement that writes it names them. */
export interface ImportedColumns {
  readonly iid: number;
  readonly author_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: Issue['state'];
  readonly issue_type: string;
  readonly severity: string;
  readonly confidential: boolean;
  readonly discussion_locked: boolean | null;
  readonly due_date: string | null;
  readonly weight: number | null;
  readonly health_status: string | null;
  readonly relative_position: number | null;
  readonly closed_by_id: number | null;
  readonly closed_at: string | null;
  readonly time_estimate: number;
  /** Null for now. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** An issue of the source, checked and ready to be written. */
export interface ImportedIssue {
  readonly columns: ImportedColumns;
  readonly assigneeIds: readonly number[];
  readonly labels: readonly ImportedLabel[];
  readonly milestone: ImportedMilestone | null;
  readonly emoji: readonly ImportedEmoji[];
  readonly notes: readonly ImportedNote[];
  readonly timelogs: readonly ImportedTimelog[];
  readonly subscriptions: readonly ImportedSubscription[];
  readonly events: ImportedResourceEvents;
}

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_048_576;
const MAX_INTEGER = 2_147_483_647;

/** Ids of users that an issue names. */
export const issueUserIds = (record: SourceRecord): number[] => [
  ...userIdsIn(record, 'author_id', 'closed_by_id'),
  ...userIdsOf(record, 'issue_assignees', 'user_id'),
  ...timelogUserIds(record),
  ...emojiUserIds(record),
  ...subscriptionUserIds(record),
  ...noteUserIds(record),
  ...resourceEventUserIds(record),
];

/** An issue as it is kept here. @throws RecordRefused */
export function readIssue(record: SourceRecord, target: ImportTarget): ImportedIssue {
  const author = target.attribute(integerIn(record, 'author_id', 1));
  const createdAt = timeIn(record, 'created_at');
  const assigned = recordsIn(record, 'issue_assignees').map((one) => integerIn(one, 'user_id', 1));
  return {
    columns: readColumns(record, target, author.userId),
    assigneeIds: [...new Set(assigned.flatMap((id) => target.userOf(id) ?? []))],
    labels: readLabelLinks(record, target),
    milestone: readNestedMilestone(record, target),
    emoji: readEmoji(record, target),
    notes: [...authorNotes(author, 'issue', createdAt), ...readNotes(record, target)],
    timelogs: readTimelogs(record, target),
    subscriptions: readSubscriptions(record, target),
    events: readResourceEvents(record, target),
  };
}

function readColumns(record: SourceRecord, target: ImportTarget, authorId: number): ImportedColumns {
  const iid = integerIn(record, 'iid', 1, MAX_INTEGER);
  if (iid === null) throw new RecordRefused('iid is invalid');
  const isClosed = record['state'] === 'closed' || record['state_id'] === 2;
  const createdAt = timeIn(record, 'created_at');
  const updatedAt = timeIn(record, 'updated_at');
  const locked = record['discussion_locked'];
  return {
    iid,
    author_id: authorId,
    title: neededTextIn(record, 'title', MAX_TITLE).trim(),
    description: target.text(textIn(record, 'description', MAX_DESCRIPTION)),
    state: isClosed ? 'closed' : 'opened',
    issue_type: typeOf(record),
    severity: severityOf(record),
    confidential: isConfidential(record['confidential']),
    discussion_locked: typeof locked === 'boolean' ? locked : null,
    due_date: dateIn(record, 'due_date'),
    weight: integerIn(record, 'weight', 0, MAX_INTEGER),
    health_status: HEALTH_STATUSES.find((word) => word === record['health_status']) ?? null,
    relative_position: integerIn(record, 'relative_position', -MAX_INTEGER, MAX_INTEGER),
    closed_by_id: isClosed ? target.userOf(integerIn(record, 'closed_by_id', 1)) : null,
    closed_at: isClosed
      ? (timeIn(record, 'closed_at') ?? updatedAt ?? createdAt ?? new Date().toISOString())
      : null,
    time_estimate: integerIn(record, 'time_estimate', 0, MAX_WORK_SECONDS) ?? 0,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** Later sources have kinds that there are none of here; they become plain issues. */
function typeOf(record: SourceRecord): string {
  const workItemType = record['work_item_type'];
  const nested = recordIn(record, 'work_item_type');
  const given = [record['issue_type'], workItemType, nested?.['base_type']];
  return ISSUE_TYPES.find((type) => given.includes(type)) ?? 'issue';
}

function severityOf(record: SourceRecord): string {
  const given = [record['severity'], recordIn(record, 'issuable_severity')?.['severity']];
  return SEVERITIES.find((severity) => given.includes(severity)) ?? 'unknown';
}
