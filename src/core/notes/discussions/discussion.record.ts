import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import type { CommandsDone } from '../note-commands.registry.js';
import { NoteRecord, presentNote, type NoteRow } from '../note.record.js';

/** Notes that answer each other, or one that nobody has answered. */
export class DiscussionRecord {
  @Text({ example: '6a9c1750b37d513a43987b574953fceb50b03ce7' })
  id!: string;

  @Flag({ description: 'A note by itself' })
  individual_note!: boolean;

  @ListOf(() => NoteRecord)
  notes!: NoteRecord[];
}

/** The record of a discussion, of all its notes that the reader may read; `changes` is what commands in its first text have just changed. */
export function presentDiscussion(
  id: string,
  rows: readonly NoteRow[],
  noteableIid: number | null,
  links: Links,
  changes: CommandsDone['changes'] = {},
): DiscussionRecord {
  return {
    id,
    individual_note: rows[0]?.n_type === null,
    notes: rows.map((row, at) => presentNote(row, noteableIid, links, at === 0 ? changes : {})),
  };
}
