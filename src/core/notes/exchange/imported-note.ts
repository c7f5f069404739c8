import type { ImportedEmoji } from '../exchange/emoji.js';

/** A note of a record, checked and ready to be written. */
export interface ImportedNote {
  readonly authorId: number;
  readonly type: 'DiffNote' | 'DiscussionNote' | null;
  /** The discussion at the source; null for a note by itself. */
  readonly discussion: string | null;
  readonly body: string;
  /** Says who has written it, where that is not its author here; mentions nobody. */
  readonly suffix: string;
  readonly system: boolean;
  /** Word for machines of a system note. */
  readonly action: string | null;
  readonly internal: boolean;
  readonly resolvedAt: string | null;
  readonly resolvedById: number | null;
  /** Of a note on a diff: an object of `PositionParams`. */
  readonly position: object | null;
  /** Null for now. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly emoji: readonly ImportedEmoji[];
}

/** What `user_notes_count` of a thing with these notes says. */
export const userNotesCount = (notes: readonly ImportedNote[]): number =>
  notes.filter(({ system }) => !system).length;
