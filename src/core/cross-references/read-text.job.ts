import { defineJob } from '#kernel/queue/job-definition.js';

/** A text that may contain references: title and description of an object, or a note on it. */
export type WrittenTextRef = Readonly<{
  type: 'Issue' | 'MergeRequest' | 'Epic' | 'Commit';
  /** Null for a commit, which the note identifies. */
  id: number | null;
  noteId: number | null;
  actorId: number;
}>;

/** Writes system notes on objects that a text mentions. */
export const ReadTextJob = defineJob<WrittenTextRef>({
  name: 'cross_references.read_text',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
  dedupe: ({ type, id, noteId, actorId }) => `${type} ${id ?? ''} ${noteId ?? ''} ${actorId}`,
});
