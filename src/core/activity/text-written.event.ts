/** Where a text is: title and description of an object, or a note on it. */
export interface WrittenText {
  readonly type: 'Issue' | 'MergeRequest' | 'Epic' | 'Commit' | 'Snippet';
  /** Null for a commit. */
  readonly id: number | null;
  /** Null for title and description. */
  readonly noteId: number | null;
  /** Whether it is an internal note. */
  readonly internal: boolean;
  readonly text: string;
}

/** A text for other readers was written or changed; published in the transaction that stores it. */
export class TextWritten {
  constructor(
    readonly written: WrittenText,
    readonly actorId: number,
  ) {}
}

/** An object with its title and description. */
interface Titled {
  readonly id: number;
  readonly title: string;
  readonly description: string | null;
}

/** Returns the event for an object whose title and description were set, or those in `changed`. */
export function issuableWritten(
  type: 'Issue' | 'MergeRequest' | 'Epic',
  { id, ...before }: Titled,
  actorId: number,
  changed: { readonly title?: string; readonly description?: string | null } = {},
): TextWritten {
  const { title = before.title, description = before.description } = changed;
  const text = `${title}\n\n${description ?? ''}`;
  return new TextWritten({ type, id, noteId: null, internal: false, text }, actorId);
}
