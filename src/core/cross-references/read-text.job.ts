import { defineJob } from '#kernel/queue/job-definition.js';

/** A text in which somebody may have named other things: title and description of a thing, or a note on it. */
export type WrittenPlace = Readonly<{
  type: 'Issue' | 'MergeRequest' | 'Epic' | 'Commit';
  /** Null for a commit: the note knows it. */
  id: number | null;
  noteId: number | null;
  actorId: number;
}>;

/** Notes on things that they are mentioned in a text. */
export const ReadTextJob = defineJob<WrittenPlace>({
  name: 'cross_references.read_text',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
  dedupe: ({ type, id, noteId, actorId }) => `${type} ${id ?? ''} ${noteId ?? ''} ${actorId}`,
});
