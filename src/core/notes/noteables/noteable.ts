import type { Actor, Caller } from '#kernel/access/caller.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';

/** Types of noteables. */
export type NoteableType = 'Issue' | 'MergeRequest' | 'Snippet' | 'Epic' | 'Commit';

/** A noteable with the caller's permissions on it. */
export interface Noteable {
  readonly type: NoteableType;
  /** Null for a commit. */
  readonly id: number | null;
  /** Null for snippets and commits. */
  readonly iid: number | null;
  /** Only for a commit. */
  readonly commitId: string | null;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly title: string;
  readonly authorId: number | null;
  /** Path of the web page, such as `/group/project/-/issues/1`. */
  readonly webPath: string;
  /** The reader for whom it was found; null if anonymous. */
  readonly reader: Actor | null;
  /** System notes on it refer to objects elsewhere: only then the reader's access to those is checked. */
  readonly hasSources: boolean;
  /** Whether the caller may comment (only members in a locked discussion). */
  readonly mayComment: boolean;
  /** Whether the caller may read and write internal notes. */
  readonly mayReadInternal: boolean;
  /** Whether the caller may change and remove notes of others, and set the time of a note. */
  readonly mayAdminNotes: boolean;
}

/** Implemented by modules with noteables, which register with `NoteableRegistry` in `onModuleInit`. */
export interface NoteableContribution {
  readonly type: NoteableType;
  /**
   * Finds the noteable of a path (`ref`: iid, id or sha, depending on its routes) in the subject of the
   * caller. @throws 404 of its type if the caller cannot read it
   */
  find(caller: Caller, ref: number | string): Promise<Noteable>;
  /** Finds it for emoji paths, if these name it in another way; with the note of the emoji. @throws 404 */
  findAwardable?(caller: Caller, ref: number, noteId: number | null): Promise<Noteable>;
  /**
   * Returns those of the users who can now read the noteable (with `internal`: its internal notes); for jobs
   * that write to many users.
   */
  readersAmong(id: number, userIds: readonly number[], internal: boolean): Promise<ReadonlySet<number>>;
  /** SQL condition: the user `u` can now read the noteable, by the same rules; for lists of users. */
  readableBy?(id: number): SqlPiece;
  /**
   * SQL condition: the reader can read the noteable with the id expression `id` (for a commit: the code of
   * its project); the same rules for many noteables of one reader.
   */
  readable?(reader: Actor | null, id: string): SqlPiece;
}
