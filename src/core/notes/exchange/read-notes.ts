import type { ImportTarget } from '#core/exchange/import-target.js';
import { entriesOf, userIdsIn } from '#core/exchange/source-ids.js';
import {
  integerIn,
  recordIn,
  recordsIn,
  textIn,
  timeIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { authorSuffix } from '../exchange/author-note.js';
import { emojiUserIds, readEmoji } from '../exchange/emoji.js';
import type { ImportedNote } from '../exchange/imported-note.js';
import { readPosition } from '../exchange/read-position.js';

const MAX_NOTES = 100_000;
/** Limit of characters of a note, as in the API. */
const MAX_BODY = 1_000_000;
const MAX_WORD = 255;

/** Returns the ids of users in `notes` of a record. */
export const noteUserIds = (record: SourceRecord): number[] =>
  entriesOf(record, 'notes').flatMap((note) => [
    ...userIdsIn(note, 'author_id', 'resolved_by_id'),
    ...emojiUserIds(note),
  ]);

/** Anything except an explicit false counts as confidential, so that nothing is disclosed by mistake. */
export const isConfidential = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false;

/**
 * Parses `notes` of a record in order; skips those without text. With `withPositions`, notes may be on lines
 * of a diff.
 * @throws RecordRefused
 */
export function readNotes(record: SourceRecord, target: ImportTarget, withPositions = false): ImportedNote[] {
  const notes = recordsIn(record, 'notes', MAX_NOTES).flatMap((note) =>
    readNote(note, target, withPositions),
  );
  return asDiscussions(notes);
}

function readNote(note: SourceRecord, target: ImportTarget, withPositions: boolean): ImportedNote[] {
  const body = target.text(textIn(note, 'note', MAX_BODY));
  if (body === null || body.trim() === '') return [];
  const attribution = target.attribute(integerIn(note, 'author_id', 1));
  const createdAt = timeIn(note, 'created_at');
  const system = note['system'] === true;
  const position = withPositions && note['type'] === 'DiffNote' ? readPosition(note) : null;
  const type = system || typeof note['type'] !== 'string' ? null : position ? 'DiffNote' : 'DiscussionNote';
  const resolvedAt = type === null ? null : timeIn(note, 'resolved_at');
  const author = recordIn(note, 'author');
  const metadata = recordIn(note, 'system_note_metadata');
  return [
    {
      authorId: attribution.userId,
      type,
      discussion: wordOf(note, 'discussion_id'),
      body,
      suffix: authorSuffix(attribution, author ? wordOf(author, 'name') : null, createdAt),
      system,
      action: system && metadata ? wordOf(metadata, 'action') : null,
      internal: isConfidential(note['internal']) || isConfidential(note['confidential']),
      resolvedAt,
      resolvedById: resolvedAt === null ? null : target.userOf(integerIn(note, 'resolved_by_id', 1)),
      position,
      createdAt,
      updatedAt: timeIn(note, 'updated_at'),
      emoji: readEmoji(note, target),
    },
  ];
}

/** Reads a short word; null if it is too long. */
const wordOf = (record: SourceRecord, name: string): string | null =>
  typeof record[name] === 'string' && record[name].length <= MAX_WORD ? textIn(record, name, MAX_WORD) : null;

/** Notes with the same discussion become a discussion, regardless of the type that the source gives them. */
function asDiscussions(notes: readonly ImportedNote[]): ImportedNote[] {
  const counts = new Map<string, number>();
  for (const { discussion, system } of notes)
    if (discussion !== null && !system) counts.set(discussion, (counts.get(discussion) ?? 0) + 1);
  return notes.map((note) => {
    const isAnswered = note.discussion !== null && (counts.get(note.discussion) ?? 0) > 1;
    return !note.system && note.type === null && isAnswered ? { ...note, type: 'DiscussionNote' } : note;
  });
}
