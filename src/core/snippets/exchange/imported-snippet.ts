import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { readEmoji, emojiUserIds, type ImportedEmoji } from '#core/notes/exchange/emoji.js';
import { authorNotes } from '#core/notes/exchange/author-note.js';
import type { ImportedNote } from '#core/notes/exchange/imported-note.js';
import { noteUserIds, readNotes } from '#core/notes/exchange/read-notes.js';
import { isFilePath } from '#core/repositories/git/build-commit.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import { userIdsIn } from '#core/exchange/source-ids.js';
import {
  integerIn,
  neededTextIn,
  recordsIn,
  proseIn,
  textIn,
  timeIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { MAX_FILES, MAX_PATH, MAX_SNIPPET_BYTES } from '../files/snippet-limits.js';

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_048_576;
/** Name that v4 servers give to the only, unnamed file of a snippet. */
const UNNAMED = 'snippetfile1.txt';
const VISIBILITIES: Readonly<Record<number, Visibility>> = { 0: 'private', 10: 'internal', 20: 'public' };

/** A validated snippet. */
export interface ImportedSnippet {
  readonly title: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly authorId: number;
  /** In base64. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Number of files omitted from the record by the source. */
  readonly missingFiles: number;
  readonly notes: readonly ImportedNote[];
  readonly emoji: readonly ImportedEmoji[];
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** Returns the ids of users in a snippet. */
export const snippetUserIds = (record: SourceRecord): number[] => [
  ...userIdsIn(record, 'author_id'),
  ...noteUserIds(record),
  ...emojiUserIds(record),
];

/** Parses a snippet. @throws RecordRefused if the record is not a snippet, or has no file */
export function snippetOf(record: SourceRecord, target: ImportTarget): ImportedSnippet {
  const author = target.attribute(integerIn(record, 'author_id', 1));
  const createdAt = timeIn(record, 'created_at');
  return {
    title: target.text(neededTextIn(record, 'title', MAX_TITLE)) ?? '',
    description: target.text(proseIn(record, 'description', MAX_DESCRIPTION)),
    visibility: VISIBILITIES[integerIn(record, 'visibility_level') ?? 0] ?? 'private',
    authorId: author.userId,
    files: filesIn(record),
    missingFiles: integerIn(record, 'files_left_out', 0, MAX_FILES) ?? 0,
    notes: [...authorNotes(author, 'snippet', createdAt), ...readNotes(record, target)],
    emoji: readEmoji(record, target),
    createdAt,
    updatedAt: timeIn(record, 'updated_at'),
  };
}

/** Returns its files; from a v4 server, which sends repositories separately, the one in the record. */
function filesIn(record: SourceRecord): { path: string; content: string }[] {
  const given = recordsIn(record, 'files', MAX_FILES).map((file) => ({
    path: neededTextIn(file, 'path', MAX_PATH),
    content: base64In(file),
  }));
  const files = given.length > 0 ? given : onlyFile(record);
  const paths = new Set<string>();
  for (const { path } of files) {
    if (!isFilePath(path)) throw new RecordRefused('the path of a file is invalid');
    if ([...paths].some((other) => isSamePath(other, path)))
      throw new RecordRefused('two files have the same path');
    paths.add(path);
  }
  const bytes = files.reduce((sum, { content }) => sum + (content.length * 3) / 4, 0);
  if (bytes > MAX_SNIPPET_BYTES) throw new RecordRefused('its files are too large');
  return files;
}

/** Returns whether both are the same file, or one would be a folder of the other. */
const isSamePath = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

function base64In(file: SourceRecord): string {
  const { content } = file;
  if (typeof content !== 'string' || content.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(content))
    throw new RecordRefused('the content of a file is not base64');
  return content;
}

function onlyFile(record: SourceRecord): { path: string; content: string }[] {
  const { content } = record;
  if (typeof content !== 'string' || content === '') throw new RecordRefused('it has no files');
  const name = textIn(record, 'file_name', MAX_PATH) ?? UNNAMED;
  return [{ path: name, content: Buffer.from(content.toWellFormed()).toString('base64') }];
}
