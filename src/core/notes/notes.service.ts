import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ActivityHappened, type ActivityAction } from '#core/activity/activity-happened.event.js';
import { TextWritten } from '#core/activity/text-written.event.js';
import { CreationLimit } from '#core/instance/limits/creation.limit.js';
import { MentionsService, type MentionTarget } from './participants/mentions.service.js';
import { NoteOriginsService, numbered } from './note-origins.service.js';
import { NOTE_COLUMNS, NOTE_JOINS, type NoteRow } from './note.record.js';
import type { Noteable, NoteableType } from './noteables/noteable.js';
import type { CreateNoteParams } from './notes.params.js';
import { newDiscussionId } from './system-notes.service.js';
import { lockNoteable, madeOnNoteableSql, noteableGone } from './noteables/noteable-lock.js';

/** A note to write; with a discussion and type if it is part of one, and a position if it is on a diff. */
export interface NewNote extends CreateNoteParams {
  readonly discussionId?: string;
  readonly type?: 'DiffNote' | 'DiscussionNote';
  readonly position?: unknown;
  /** It joins a resolved discussion, and is resolved too. */
  readonly isResolved?: boolean;
}

interface LockedNote {
  readonly author_id: number | null;
  readonly system: boolean;
  readonly internal: boolean;
  readonly updated_at: Date;
}

const COLUMNS = `notes (noteable_type, noteable_id, commit_id, project_id, group_id, author_id, type, discussion_id, body, internal,
    position, created_at, updated_at, resolved_at, resolved_by_id)`;

const VALUES = `$1, $2::bigint, $3, $4, $5, $6::bigint, $7, $8, $9, $10, $11::jsonb, coalesce($12::timestamptz, now()), coalesce($12::timestamptz, now()),
    case when $13::boolean then now() end, case when $13::boolean then $6::bigint end`;

const insertSql = (type: NoteableType): string =>
  `${madeOnNoteableSql(type, '$2::bigint', COLUMNS, VALUES)} select ${NOTE_COLUMNS} from made n ${NOTE_JOINS}`;

/** A reply turns an individual note into a discussion. */
const JOIN_DISCUSSION = `update notes set type = $4 where discussion_id = $1 and noteable_type = $2 and noteable_id = $3 and type is null`;

/** The same text again is not a change. */
const REWRITE = `update notes set body = $2, updated_at = ${STATEMENT_TIME} where id = $1 and body <> $2`;

const LOCK = `select author_id, system, internal, updated_at
  from notes n where n.id = $1 and n.noteable_type = $2 and n.noteable_id = $3 and `;

const targetOf = ({ type, id }: Noteable): MentionTarget => ({ type, id }) as MentionTarget;

const isInternal = ({ internal, confidential }: NewNote): boolean => internal ?? confidential ?? false;

/** Manages notes of users (`planning.md` 5.5). */
@Injectable()
export class NotesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly mentions: MentionsService,
    private readonly limits: CreationLimit,
    private readonly sources: NoteOriginsService,
  ) {}

  /** Writes a note as the caller, and returns it. @throws 403, 404, 429 */
  async create(caller: UserCaller, noteable: Noteable, note: NewNote): Promise<NoteRow> {
    await this.admit(caller, noteable, note);
    return this.write(caller, noteable, note);
  }

  /** Asserts that the caller may write a note or quick actions, and counts it. @throws 403, 429 */
  async admit(caller: UserCaller, noteable: Noteable, note: NewNote): Promise<void> {
    if (!noteable.mayComment || (isInternal(note) && !noteable.mayReadInternal)) throw forbidden();
    await this.limits.admit('notes_create_limit', caller.actor.id);
  }

  /** Writes a note of a caller whose right was checked; authors may read what they write. @throws 404 */
  write(caller: UserCaller, noteable: Noteable, note: NewNote): Promise<NoteRow> {
    const author = caller.actor;
    const { id: authorId } = author;
    return this.transactions.run(async (tx) => {
      const { projectId, groupId } = noteable;
      const called = await this.mentions.askFor(tx, note.body, { projectId, groupId, author });
      const [row] = await tx.query<NoteRow[]>(insertSql(noteable.type), [
        noteable.type,
        noteable.id,
        noteable.commitId,
        projectId,
        groupId,
        authorId,
        note.type ?? null,
        note.discussionId ?? newDiscussionId(),
        note.body,
        isInternal(note),
        note.position === undefined ? null : JSON.stringify(note.position),
        caller.role >= Role.Owner ? (note.created_at ?? null) : null,
        note.isResolved ?? false,
      ]);
      if (!row) throw noteableGone(noteable.type);
      if (note.discussionId !== undefined)
        await tx.query(JOIN_DISCUSSION, [note.discussionId, noteable.type, noteable.id, note.type]);
      const users = await called();
      const { n_id: id } = row;
      const mentioned =
        noteable.id === null
          ? users.map((user) => user.id)
          : await this.mentions.recordNew(tx, targetOf(noteable), id, users);
      await this.tell(tx, 'commented', authorId, noteable, id, isInternal(note), mentioned);
      await this.written(tx, authorId, noteable, id, isInternal(note), note.body);
      return row;
    });
  }

  /** Updates the text of a note. @throws 404; 403 if the caller may not change it */
  async update(caller: UserCaller, noteable: Noteable, id: number, body: string): Promise<void> {
    const author = caller.actor;
    const { id: actorId } = author;
    await this.transactions.run(async (tx) => {
      const { projectId, groupId } = noteable;
      const container = { projectId, groupId, author };
      const users = await this.mentions.mentionedUsers(tx, body, container);
      const { internal } = await this.lockToChange(tx, caller, noteable, id);
      await tx.query(REWRITE, [id, body]);
      const mentioned =
        noteable.id === null
          ? users.map((user) => user.id)
          : await this.mentions.record(tx, targetOf(noteable), id, users);
      if (mentioned.length > 0) await this.tell(tx, 'mentioned', actorId, noteable, id, internal, mentioned);
      await this.written(tx, actorId, noteable, id, internal, body);
    });
  }

  /** Removes a note. @throws 404; 403 if the caller may not change it; 412 */
  async remove(caller: Caller, noteable: Noteable, id: number, unmodified: UnmodifiedCheck): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { updated_at: updatedAt } = await this.lockToChange(tx, caller, noteable, id);
      unmodified(updatedAt);
      await tx.query('delete from notes where id = $1', [id]);
    });
  }

  private async lockToChange(tx: Tx, { actor }: Caller, noteable: Noteable, id: number): Promise<LockedNote> {
    await lockNoteable(tx, noteable.type, noteable.id);
    const own = [id, noteable.type, noteable.id];
    const { sql, values } = numbered(this.sources.readable(noteable), own.length);
    const [note] = await tx.query<LockedNote[]>(`${LOCK}${sql} for update`, [...own, ...values]);
    if (!note) throw notFound('Note');
    const isOwn = note.author_id === actor?.id && noteable.mayComment;
    if (note.system || !(isOwn || noteable.mayAdminNotes)) throw forbidden();
    return note;
  }

  private written(
    tx: Tx,
    actorId: number,
    { type, id }: Noteable,
    noteId: number,
    internal: boolean,
    text: string,
  ): Promise<void> {
    return this.events.publish(tx, new TextWritten({ type, id, noteId, internal, text }, actorId));
  }

  /** Notes on personal snippets are not published as activity. */
  private async tell(
    tx: Tx,
    action: ActivityAction,
    actorId: number,
    { type, id, title, projectId, groupId }: Noteable,
    noteId: number,
    internal: boolean,
    mentionedUserIds: readonly number[],
  ): Promise<void> {
    if (projectId === null && groupId === null) return;
    await this.events.publish(
      tx,
      new ActivityHappened(
        action,
        actorId,
        { projectId, groupId },
        { type: 'Note', id: noteId, iid: noteId, title },
        { noteable: { type, id }, internal, mentionedUserIds },
      ),
    );
  }
}
