import { createHash } from 'node:crypto';
import type { Tx } from '#kernel/database/transactions.js';
import { drawIds } from '#core/exchange/draw-ids.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { NoteableType } from '../noteables/noteable.js';
import { newDiscussionId } from '../system-notes.service.js';
import { importEmoji, votesOf } from '../exchange/emoji.js';
import { importMentions } from '../exchange/import-mentions.js';
import type { ImportedNote } from '../exchange/imported-note.js';

/** The notes of a noteable. */
export interface NotesItem {
  /** Id of the local noteable. */
  readonly id: number;
  readonly notes: readonly ImportedNote[];
}

const INSERT = `insert into notes (id, noteable_type, noteable_id, project_id, group_id, author_id, type, discussion_id, body, system, system_action,
    internal, resolved_at, resolved_by_id, position, upvotes, downvotes, created_at, updated_at)
  select x.id, $1, x.noteable, $2::bigint, $3::bigint, x.author, x.type, x.discussion, x.body, x.system, x.action,
    x.internal, x.resolved, x.resolver, x.position, x.up, x.down, coalesce(x.created, now()), greatest(x.updated, coalesce(x.created, now()))
  from json_to_recordset($4::json) as x(id bigint, noteable bigint, author bigint, type text, discussion text, body text, system boolean, action text,
    internal boolean, resolved timestamptz, resolver bigint, position jsonb, up integer, down integer, created timestamptz, updated timestamptz)`;

/** Derives a local discussion id from one of the source, unique per noteable. */
const discussionId = (type: NoteableType, id: number, ofSource: string | null): string =>
  ofSource === null
    ? newDiscussionId()
    : createHash('sha1').update(`${type}/${id}/${ofSource}`).digest('hex');

/**
 * Inserts the notes of many noteables with their emoji and mentions, in few statements. Call it before
 * inserting the noteables (ids from `drawIds`, counts from `userNotesCount`), so that no trigger has to count
 * or changes their `updated_at`.
 */
export async function importNotes(
  tx: Tx,
  target: ImportTarget,
  type: Exclude<NoteableType, 'Commit'>,
  items: readonly NotesItem[],
): Promise<void> {
  const all = items.flatMap(({ id, notes }) => notes.map((note) => ({ noteableId: id, note })));
  if (all.length === 0) return;
  const ids = await drawIds(tx, 'notes', all.length);
  const written = all.map((entry, at) => ({ ...entry, id: ids[at] as number }));
  const votes = await importEmoji(
    tx,
    'Note',
    written.map(({ id, note: { emoji } }) => ({ id, emoji })),
  );
  const rows = written.map(({ id, noteableId, note }) => {
    const { upvotes, downvotes } = votesOf(votes, id);
    return {
      id,
      noteable: noteableId,
      author: note.authorId,
      type: note.type,
      discussion: discussionId(type, noteableId, note.discussion),
      body: note.body + note.suffix,
      system: note.system,
      action: note.action,
      internal: note.internal,
      resolved: note.resolvedAt,
      resolver: note.resolvedById,
      position: note.position,
      up: upvotes,
      down: downvotes,
      created: note.createdAt,
      updated: note.updatedAt,
    };
  });
  const owner = target.of === 'project' ? [target.ownerId, null] : [null, target.ownerId];
  await tx.query(INSERT, [type, ...owner, JSON.stringify(rows)]);
  const texts = written.flatMap(({ id, noteableId, note }) =>
    note.system ? [] : [{ noteableId, noteId: id, text: note.body }],
  );
  await importMentions(tx, target, type, texts);
}
