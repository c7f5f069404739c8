import {
  readResourceEvents,
  resourceEventUserIds,
  type ImportedResourceEvents,
} from '#core/issuables/resource-events/transfer/read-resource-events.js';
import { readLabelLinks, type ImportedLabel } from '#core/labels/transfer/read-label.js';
import { authorNotes } from '#core/notes/transfer/author-note.js';
import { emojiUserIds, readEmoji, type ImportedEmoji } from '#core/notes/transfer/emoji.js';
import type { ImportedNote } from '#core/notes/transfer/imported-note.js';
import { isConfidential, noteUserIds, readNotes } from '#core/notes/transfer/read-notes.js';
import {
  readSubscriptions,
  subscriptionUserIds,
  type ImportedSubscription,
} from '#core/subscriptions/transfer/subscriptions-transfer.js';
import type { ImportTarget } from '#core/transfer/import-target.js';
import { RecordRefused } from '#core/transfer/record-refused.js';
import { userIdsIn } from '#core/transfer/source-ids.js';
import {
  dateIn,
  flagIn,
  integerIn,
  neededTextIn,
  textIn,
  timeIn,
  type SourceRecord,
} from '#core/transfer/source-record.js';
import type { Epic } from '../epic.entity.js';

/** The columns of an epic, as the statement that writes it names them. */
export interface ImportedColumns {
  readonly iid: number;
  readonly author_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: Epic['state'];
  readonly confidential: boolean;
  readonly start_date_fixed: string | null;
  readonly start_date_is_fixed: boolean;
  readonly due_date_fixed: string | null;
  readonly due_date_is_fixed: boolean;
  readonly closed_by_id: number | null;
  readonly closed_at: string | null;
  /** Null for now. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** An epic of the source, checked and ready to be written. */
export interface ImportedEpic {
  readonly columns: ImportedColumns;
  readonly labels: readonly ImportedLabel[];
  readonly emoji: readonly ImportedEmoji[];
  readonly notes: readonly ImportedNote[];
  readonly subscriptions: readonly ImportedSubscription[];
  readonly events: ImportedResourceEvents;
}

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_048_576;
const MAX_INTEGER = 2_147_483_647;

/** Ids of users that an epic names. */
export const epicUserIds = (record: SourceRecord): number[] => [
  ...userIdsIn(record, 'author_id', 'closed_by_id'),
  ...emojiUserIds(record),
  ...subscriptionUserIds(record),
  ...noteUserIds(record),
  ...resourceEventUserIds(record),
];

/** An epic as it is kept here. @throws RecordRefused */
export function readEpic(record: SourceRecord, target: ImportTarget): ImportedEpic {
  const author = target.attribute(integerIn(record, 'author_id', 1));
  const created = timeIn(record, 'created_at');
  return {
    columns: readColumns(record, target, author.userId),
    labels: readLabelLinks(record, target),
    emoji: readEmoji(record, target),
    notes: [...authorNotes(author, 'epic', created), ...readNotes(record, target)],
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
  const start = dateIn(record, 'start_date_fixed') ?? dateIn(record, 'start_date');
  const due = dateIn(record, 'due_date_fixed') ?? dateIn(record, 'due_date') ?? dateIn(record, 'end_date');
  const startIsFixed = flagIn(record, 'start_date_is_fixed', start !== null);
  const dueIsFixed = flagIn(record, 'due_date_is_fixed', due !== null);
  if (startIsFixed && dueIsFixed && start !== null && due !== null && due < start)
    throw new RecordRefused('due_date_fixed must be greater than or equal to start date');
  return {
    iid,
    author_id: authorId,
    title: neededTextIn(record, 'title', MAX_TITLE).trim(),
    description: target.text(textIn(record, 'description', MAX_DESCRIPTION)),
    state: isClosed ? 'closed' : 'opened',
    confidential: isConfidential(record['confidential']),
    start_date_fixed: start,
    start_date_is_fixed: startIsFixed,
    due_date_fixed: due,
    due_date_is_fixed: dueIsFixed,
    closed_by_id: isClosed ? target.userOf(integerIn(record, 'closed_by_id', 1)) : null,
    closed_at: isClosed
      ? (timeIn(record, 'closed_at') ?? updatedAt ?? createdAt ?? new Date().toISOString())
      : null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
