import type { ImportedEmoji } from '../exchange/emoji.js';

/** A validated note. */
export interface ImportedNote {
  readonly authorId: number;
  readonly type: 'DiffNote' | 'DiscussionNote' | null;
  /** The discussion at the source; null for an individual note. */
  readonly discussion: string | null;
  readonly body: string;
  /** Text with the source author, if that is not the local author; without mentions. */
  readonly suffix: string;
  readonly system: boolean;
  /** Action of a system note. */
  readonly action: string | null;
  readonly internal: boolean;
  readonly resolvedAt: string | null;
  readonly resolvedById: number | null;
  /** For a note on a diff: an object of `PositionParams`. */
  readonly position: object | null;
  /** Null for the present time. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly emoji: readonly ImportedEmoji[];
}

/** Computes `user_notes_count` of a noteable with these notes. */
export const userNotesCount = (notes: readonly ImportedNote[]): number =>
  notes.filter(({ system }) => !system).length;
