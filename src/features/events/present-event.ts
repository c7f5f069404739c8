import type { Links } from '#kernel/http/links.js';
import { presentNote, type NoteRow } from '#core/notes/note.record.js';
import { presentUserIn, type PrefixedUser } from '#core/users/records/user-basic.record.js';
import { actionName } from './action-name.js';
import { SUBJECTS, subjectNumber } from './event-kinds.js';
import type { EventRecord, EventWikiPageRecord, PushDataRecord } from './event.record.js';

/** Row of an event, with its author and, for a comment, the note. */
export interface EventRow extends PrefixedUser<'author_', number> {
  readonly id: number;
  readonly project_id: number;
  readonly kind: number;
  readonly target_id: number | null;
  readonly target_iid: number | null;
  readonly target_title: string | null;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly created_ms: number;
  /** Null if there is none, or it was removed. */
  readonly note: (NoteRow & { readonly noteable_iid: number | null }) | null;
}

/** Target types of events, also of removed targets. */
const TYPES = new Map<number, string>([
  [SUBJECTS.issue, 'Issue'],
  [SUBJECTS.mergeRequest, 'MergeRequest'],
  [SUBJECTS.milestone, 'Milestone'],
  [SUBJECTS.wikiPage, 'WikiPage::Meta'],
  ...[SUBJECTS.issueNote, SUBJECTS.mergeRequestNote, SUBJECTS.snippetNote, SUBJECTS.commitNote].map(
    (subject) => [subject, 'Note'] as const,
  ),
]);

/** Presents an event. */
export function presentEvent(row: EventRow, links: Links): EventRecord {
  const subject = subjectNumber(row.kind);
  const { note } = row;
  const push = subject === SUBJECTS.push ? (row.payload as unknown as PushDataRecord) : undefined;
  return {
    id: row.id,
    title: null,
    project_id: row.project_id,
    action_name: actionName(row.kind, push?.action),
    target_id: row.target_id,
    // A note has no number within the project.
    target_iid: note ? row.target_id : row.target_iid,
    target_type: note?.n_type ?? TYPES.get(subject) ?? null,
    author_id: row.author_id,
    target_title: row.target_title,
    created_at: row.created_at,
    author: presentUserIn(row, 'author_', links),
    author_username: row.author_username,
    data: null,
    ...(note ? { note: presentNote(note, note.noteable_iid, links) } : {}),
    ...(push ? { push_data: push } : {}),
    ...(subject === SUBJECTS.wikiPage ? { wiki_page: wikiPageOf(row) } : {}),
  };
}

function wikiPageOf({ payload }: EventRow): EventWikiPageRecord {
  const { format, slug, title } = payload as unknown as EventWikiPageRecord;
  return { format, slug, title };
}
