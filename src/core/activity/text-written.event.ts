/** Where a text stands: on a thing, as its title and description or as a note on it. */
export interface WrittenText {
  readonly type: 'Issue' | 'MergeRequest' | 'Epic' | 'Commit' | 'Snippet';
  /** Null for a commit. */
  readonly id: number | null;
  /** Null for title and description. */
  readonly noteId: number | null;
  /** Of an internal note. */
  readonly internal: boolean;
  readonly text: string;
}

/** Somebody has written a text that others read, or given one other words; in the transaction that stores it. */
export class TextWritten {
  constructor(
    readonly written: WrittenText,
    readonly actorId: number,
  ) {}
}

/** A thing with what is written on it. */
interface Titled {
  readonly id: number;
  readonly title: string;
  readonly description: string | null;
}

/** Somebody has given a thing this title and description, or those in `changed`. */
export function thingWritten(
  type: 'Issue' | 'MergeRequest' | 'Epic',
  { id, ...before }: Titled,
  actorId: number,
  changed: { readonly title?: string; readonly description?: string | null } = {},
): TextWritten {
  const { title = before.title, description = before.description } = changed;
  const text = `${title}\n\n${description ?? ''}`;
  return new TextWritten({ type, id, noteId: null, internal: false, text }, actorId);
}
