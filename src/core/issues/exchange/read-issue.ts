import {
  issuableUserIds,
  readIssuable,
  type ImportedIssuable,
  type IssuableColumns,
} from '#core/issuables/exchange/read-issuable.js';
import { readNestedMilestone, type ImportedMilestone } from '#core/milestones/exchange/read-milestone.js';
import { isConfidential } from '#core/notes/exchange/read-notes.js';
import {
  MAX_WORK_SECONDS,
  readTimelogs,
  timelogUserIds,
  type ImportedTimelog,
} from '#core/notes/exchange/timelogs.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsOf } from '#core/exchange/source-ids.js';
import { dateIn, integerIn, recordIn, recordsIn, type SourceRecord } from '#core/exchange/source-record.js';
import { HEALTH_STATUSES, ISSUE_TYPES, SEVERITIES } from '../issue.entity.js';

/** Columns of an issue, as in the statement that writes them. */
export interface ImportedColumns extends IssuableColumns {
  readonly issue_type: string;
  readonly severity: string;
  readonly confidential: boolean;
  readonly discussion_locked: boolean | null;
  readonly due_date: string | null;
  readonly weight: number | null;
  readonly health_status: string | null;
  readonly relative_position: number | null;
  readonly time_estimate: number;
}

/** A validated issue. */
export interface ImportedIssue extends ImportedIssuable {
  readonly columns: ImportedColumns;
  readonly assigneeIds: readonly number[];
  readonly milestone: ImportedMilestone | null;
  readonly timelogs: readonly ImportedTimelog[];
}

const MAX_INTEGER = 2_147_483_647;

/** Returns the ids of users in an issue. */
export const issueUserIds = (record: SourceRecord): number[] => [
  ...issuableUserIds(record),
  ...userIdsOf(record, 'issue_assignees', 'user_id'),
  ...timelogUserIds(record),
];

/** Parses an issue. @throws RecordRefused */
export function readIssue(record: SourceRecord, target: ImportTarget): ImportedIssue {
  const issue = readIssuable(record, target, 'issue');
  const assigned = recordsIn(record, 'issue_assignees').map((one) => integerIn(one, 'user_id', 1));
  return {
    ...issue,
    columns: { ...issue.columns, ...ownColumns(record) },
    assigneeIds: [...new Set(assigned.flatMap((id) => target.userOf(id) ?? []))],
    milestone: readNestedMilestone(record, target),
    timelogs: readTimelogs(record, target),
  };
}

function ownColumns(record: SourceRecord): Omit<ImportedColumns, keyof IssuableColumns> {
  const locked = record['discussion_locked'];
  return {
    issue_type: typeOf(record),
    severity: severityOf(record),
    confidential: isConfidential(record['confidential']),
    discussion_locked: typeof locked === 'boolean' ? locked : null,
    due_date: dateIn(record, 'due_date'),
    weight: integerIn(record, 'weight', 0, MAX_INTEGER),
    health_status: HEALTH_STATUSES.find((word) => word === record['health_status']) ?? null,
    relative_position: integerIn(record, 'relative_position', -MAX_INTEGER, MAX_INTEGER),
    time_estimate: integerIn(record, 'time_estimate', 0, MAX_WORK_SECONDS) ?? 0,
  };
}

/** Unknown types of later sources become plain issues. */
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
