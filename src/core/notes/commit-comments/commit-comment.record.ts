import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { presentNote, type NoteRow } from '../note.record.js';

/** A comment on a commit, or on a line that it changes. */
export class CommitCommentRecord {
  @Text()
  note!: string;

  @Text({ nullable: true })
  path!: string | null;

  @Count({ nullable: true })
  line!: number | null;

  @Text({ nullable: true, example: 'new' })
  line_type!: string | null;

  @Nested(() => UserBasicRecord, { nullable: true })
  author!: UserBasicRecord | null;

  @IsoTime()
  created_at!: string;
}

/** Line of a comment. */
export interface CommitPosition {
  readonly path: string;
  readonly line: number;
  readonly line_type: 'new' | 'old';
}

/** Presents a note on a commit as a comment. */
export function presentCommitComment(row: NoteRow, links: Links): CommitCommentRecord {
  const { body, author, created_at } = presentNote(row, null, links);
  const position = row.n_position as CommitPosition | null;
  return {
    note: body,
    path: position?.path ?? null,
    line: position?.line ?? null,
    line_type: position?.line_type ?? null,
    author,
    created_at,
  };
}
