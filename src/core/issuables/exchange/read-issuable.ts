import {
  readResourceEvents,
  resourceEventUserIds,
  type ImportedResourceEvents,
} from '#core/issuables/resource-events/exchange/read-resource-events.js';
import { readLabelLinks, type ImportedLabel } from '#core/labels/exchange/read-label.js';
import { authorNotes } from '#core/notes/exchange/author-note.js';
import { emojiUserIds, readEmoji, type ImportedEmoji } from '#core/notes/exchange/emoji.js';
import type { ImportedNote } from '#core/notes/exchange/imported-note.js';
import { noteUserIds, readNotes } from '#core/notes/exchange/read-notes.js';
import {
  readSubscriptions,
  subscriptionUserIds,
  type ImportedSubscription,
} from '#core/subscriptions/exchange/subscriptions-exchange.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsIn } from '#core/exchange/source-ids.js';
import {
  iidIn,
  integerIn,
  neededTextIn,
  textIn,
  timeIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { MAX_DESCRIPTION, MAX_TITLE } from '../text.rules.js';

/** Columns of an issue or an epic, as in the statement that writes them. */
export interface IssuableColumns {
  readonly iid: number;
  readonly author_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: 'opened' | 'closed';
  readonly closed_by_id: number | null;
  readonly closed_at: string | null;
  /** Null for the present time. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** The shared part of an imported issue or epic, validated. */
export interface ImportedIssuable {
  readonly columns: IssuableColumns;
  readonly labels: readonly ImportedLabel[];
  readonly emoji: readonly ImportedEmoji[];
  readonly notes: readonly ImportedNote[];
  readonly subscriptions: readonly ImportedSubscription[];
  readonly events: ImportedResourceEvents;
}

/** Returns the ids of users in an issue or an epic. */
export const issuableUserIds = (record: SourceRecord): number[] => [
  ...userIdsIn(record, 'author_id', 'closed_by_id'),
  ...emojiUserIds(record),
  ...subscriptionUserIds(record),
  ...noteUserIds(record),
  ...resourceEventUserIds(record),
];

/** Reads the trimmed title of a record. @throws RecordRefused */
export const titleIn = (record: SourceRecord): string => neededTextIn(record, 'title', MAX_TITLE).trim();

/** Reads the description of a record. @throws RecordRefused */
export const descriptionIn = (record: SourceRecord, target: ImportTarget): string | null =>
  target.text(textIn(record, 'description', MAX_DESCRIPTION));

/** Parses an issue or an epic; `word` says which. @throws RecordRefused */
export function readIssuable(
  record: SourceRecord,
  target: ImportTarget,
  word: 'issue' | 'epic',
): ImportedIssuable {
  const author = target.attribute(integerIn(record, 'author_id', 1));
  const isClosed = record['state'] === 'closed' || record['state_id'] === 2;
  const createdAt = timeIn(record, 'created_at');
  const updatedAt = timeIn(record, 'updated_at');
  const closedAt = timeIn(record, 'closed_at') ?? updatedAt ?? createdAt ?? new Date().toISOString();
  return {
    columns: {
      iid: iidIn(record),
      author_id: author.userId,
      title: titleIn(record),
      description: descriptionIn(record, target),
      state: isClosed ? 'closed' : 'opened',
      closed_by_id: isClosed ? target.userOf(integerIn(record, 'closed_by_id', 1)) : null,
      closed_at: isClosed ? closedAt : null,
      created_at: createdAt,
      updated_at: updatedAt,
    },
    labels: readLabelLinks(record, target),
    emoji: readEmoji(record, target),
    notes: [...authorNotes(author, word, createdAt), ...readNotes(record, target)],
    subscriptions: readSubscriptions(record, target),
    events: readResourceEvents(record, target),
  };
}
