import {
  readResourceEvents,
  resourceEventUserIds,
} from '#core/issuables/resource-events/exchange/read-resource-events.js';
import { descriptionIn, titleIn } from '#core/issuables/exchange/read-issuable.js';
import { readLabelLinks } from '#core/labels/exchange/read-label.js';
import { readNestedMilestone } from '#core/milestones/exchange/read-milestone.js';
import { authorNotes } from '#core/notes/exchange/author-note.js';
import { emojiUserIds, readEmoji } from '#core/notes/exchange/emoji.js';
import { noteUserIds, readNotes } from '#core/notes/exchange/read-notes.js';
import { MAX_WORK_SECONDS, readTimelogs, timelogUserIds } from '#core/notes/exchange/timelogs.js';
import {
  readSubscriptions,
  subscriptionUserIds,
} from '#core/subscriptions/exchange/subscriptions-exchange.js';
import { refIn } from '#core/repositories/source-refs.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsIn, userIdsOf } from '#core/exchange/source-ids.js';
import {
  flagIn,
  iidIn,
  integerIn,
  recordIn,
  recordsIn,
  timeIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { isDraftTitle } from '../writes/draft-title.js';
import type {
  ImportedApproval,
  ImportedMergeRequest,
  ImportedReviewer,
} from '../exchange/imported-merge-request.js';
import { codeIn } from '../exchange/read-code.js';
import { stateIn } from '../exchange/read-state.js';

const MAX_PEOPLE = 1_000;

/** Returns the ids of users in a merge request. */
export const mergeRequestUserIds = (record: SourceRecord): number[] => [
  ...userIdsIn(record, 'author_id', 'merge_user_id'),
  ...userIdsIn(recordIn(record, 'metrics') ?? {}, 'merged_by_id', 'latest_closed_by_id'),
  ...['merge_request_assignees', 'merge_request_reviewers', 'approvals'].flatMap((list) =>
    userIdsOf(record, list, 'user_id'),
  ),
  ...timelogUserIds(record),
  ...subscriptionUserIds(record),
  ...noteUserIds(record),
  ...emojiUserIds(record),
  ...resourceEventUserIds(record),
];

/** Parses a merge request. @throws RecordRefused if the record is not a merge request */
export function mergeRequestOf(record: SourceRecord, target: ImportTarget): ImportedMergeRequest {
  const author = target.attribute(integerIn(record, 'author_id', 1));
  const title = target.text(titleIn(record)) ?? '';
  const createdAt = timeIn(record, 'created_at');
  const params = recordIn(record, 'merge_params') ?? {};
  return {
    iid: iidIn(record),
    authorId: author.userId,
    title,
    description: descriptionIn(record, target),
    draft: flagIn(record, 'draft', isDraftTitle(title)),
    sourceBranch: refIn(record, 'source_branch'),
    targetBranch: refIn(record, 'target_branch'),
    isOwnBranch: isOwnBranch(record),
    state: stateIn(record, target),
    code: codeIn(record),
    squash: flagIn(record, 'squash'),
    shouldRemoveSourceBranch: looseFlag(params['should_remove_source_branch']),
    forceRemoveSourceBranch: looseFlag(params['force_remove_source_branch']),
    discussionLocked: looseFlag(record['discussion_locked']),
    timeEstimate: integerIn(record, 'time_estimate', 0, MAX_WORK_SECONDS) ?? 0,
    headPipelineIid: integerIn(recordIn(record, 'head_pipeline') ?? {}, 'iid', 1),
    assigneeIds: [...peopleIn(record, 'merge_request_assignees', target).keys()],
    reviewers: reviewersIn(record, target),
    approvals: approvalsIn(record, target),
    labels: readLabelLinks(record, target),
    milestone: readNestedMilestone(record, target),
    timelogs: readTimelogs(record, target),
    notes: [...authorNotes(author, 'merge request', createdAt), ...readNotes(record, target, true)],
    subscriptions: readSubscriptions(record, target),
    emoji: readEmoji(record, target),
    events: readResourceEvents(record, target),
    preparedAt: timeIn(record, 'prepared_at'),
    createdAt,
    updatedAt: timeIn(record, 'updated_at'),
  };
}

const isOwnBranch = (record: SourceRecord): boolean => {
  const source = integerIn(record, 'source_project_id', 1);
  return source !== null && source === integerIn(record, 'target_project_id', 1);
};

/** Reads a boolean that may be written as text; null for anything else. */
function looseFlag(value: unknown): boolean | null {
  if (value === true || value === '1' || value === 'true') return true;
  return value === false || value === '0' || value === 'false' ? false : null;
}

/** Returns the entries of users known here, without duplicates; unknown ones are not replaced. */
function peopleIn(
  record: SourceRecord,
  list: string,
  target: ImportTarget,
): ReadonlyMap<number, SourceRecord> {
  const people = new Map<number, SourceRecord>();
  for (const entry of recordsIn(record, list, MAX_PEOPLE)) {
    const userId = target.userOf(integerIn(entry, 'user_id', 1));
    if (userId !== null && !people.has(userId)) people.set(userId, entry);
  }
  return people;
}

/** Reads a review state; the initial one if it is invalid. */
const reviewState = ({ state }: SourceRecord): string =>
  typeof state === 'string' && /^[a-z_]{1,32}$/.test(state) ? state : 'unreviewed';

const reviewersIn = (record: SourceRecord, target: ImportTarget): ImportedReviewer[] =>
  [...peopleIn(record, 'merge_request_reviewers', target)].map(([userId, entry]) => ({
    userId,
    state: reviewState(entry),
    createdAt: timeIn(entry, 'created_at'),
  }));

const approvalsIn = (record: SourceRecord, target: ImportTarget): ImportedApproval[] =>
  [...peopleIn(record, 'approvals', target)].map(([userId, entry]) => ({
    userId,
    createdAt: timeIn(entry, 'created_at'),
  }));
