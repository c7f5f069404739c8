import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import type { CommandsDone } from '../note-commands.port.js';
import { NoteRecord, presentNote, type NoteRow } from '../note.record.js';

/** Notes that reply to each other, or an individual note. */
export class DiscussionRecord {
  @Text({ example: '6a9c1750b37d513a43987b574953fceb50b03ce7' })
  id!: string;

  @Flag({ description: 'A note by itself' })
  individual_note!: boolean;

  @ListOf(() => NoteRecord)
  notes!: NoteRecord[];
}

/**
 * Presents a discussion from its notes that the reader may see; `changes`: attributes just changed by quick
 * actions in its first text.
 */
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
