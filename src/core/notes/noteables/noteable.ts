import type { Actor, Caller } from '#kernel/access/caller.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';

/** What notes and award emoji can hang on. */
export type NoteableType = 'Issue' | 'MergeRequest' | 'Snippet' | 'Epic' | 'Commit';

/** A thing to talk about, as far as talking about it is concerned, with what the caller may do. */
export interface Noteable {
  readonly type: NoteableType;
  /** Null for a commit. */
  readonly id: number | null;
  /** Null for snippets and commits. */
  readonly iid: number | null;
  /** Of a commit alone. */
  readonly commitId: string | null;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly title: string;
  readonly authorId: number | null;
  /** Path of the page in the web, such as `/group/project/-/issues/1`. */
  readonly webPath: string;
  /** For whom it was found; null for somebody anonymous. */
  readonly reader: Actor | null;
  /** System notes on it tell of something elsewhere: only then it is worth while to ask what of that the reader can read. */
  readonly hasSources: boolean;
  /** May write a comment (a locked discussion is for members). */
  readonly mayComment: boolean;
  /** May read and write internal notes. */
  readonly mayReadInternal: boolean;
  /** May change and remove the notes of others, and say when a note was written. */
  readonly mayAdminNotes: boolean;
}

/** A module that has things to talk about answers for them; it registers itself with `Noteables` in `onModuleInit`. */
export interface NoteableContribution {
  readonly type: NoteableType;
  /** The thing that a path names (`ref`: iid, id or sha as its routes have it) in the subject of the caller. @throws 404 of its kind when they cannot read it */
  find(caller: Caller, ref: number | string): Promise<Noteable>;
  /** The same as the paths of emoji name it, where they do so in another way; with the note whose emoji are meant. @throws 404 */
  findAwardable?(caller: Caller, ref: number, noteId: number | null): Promise<Noteable>;
  /** Which of these users can read the thing now (with `internal`: its internal notes); for jobs that write to many. */
  readersAmong(id: number, userIds: readonly number[], internal: boolean): Promise<ReadonlySet<number>>;
  /** Condition: the user `u` can read the thing now, by the same rules: for lists of people. */
  readableBy?(id: number): SqlPiece;
  /** Condition: they can read the thing (of a commit: the code of its project) whose id the expression `id` gives; the same rules, for many things of one reader. */
  readable?(reader: Actor | null, id: string): SqlPiece;
}
