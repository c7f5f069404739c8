import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions } from '#kernel/database/transactions.js';
import { forbidden, invalid, nothingGiven } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { DiscussionsQueries } from './discussions.queries.js';
import type {
  CreateDiscussionParams,
  ReplyToDiscussionParams,
  UpdateDiscussionNoteParams,
} from './discussions.params.js';
import type { Noteable } from '../noteables/noteable.js';
import { NotesService } from '../notes.service.js';
import type { CommandsDone } from '../note-commands.port.js';
import { lockNoteable } from '../noteables/noteable-lock.js';
import { WriteNote, type WrittenNote } from '../write-note.use-case.js';

const RESOLVE = `update notes set resolved_at = case when $4 then ${STATEMENT_TIME} end, resolved_by_id = case when $4 then $5::bigint end,
    updated_at = ${STATEMENT_TIME}
  where discussion_id = $1 and noteable_type = $2 and noteable_id = $3 and type is not null and not system
    and (resolved_at is not null) <> $4`;

/** A new discussion, with the results of quick actions in its first text. */
export interface BegunDiscussion {
  /** Null if the text was only quick actions. */
  readonly id: string | null;
  readonly done: CommandsDone;
}

/** Manages discussions: notes that reply to each other. */
@Injectable()
export class DiscussionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly notes: NotesService,
    private readonly writing: WriteNote,
    private readonly queries: DiscussionsQueries,
  ) {}

  /** Starts a discussion. @throws 400, 403, 429 */
  async begin(
    caller: UserCaller,
    noteable: Noteable,
    params: CreateDiscussionParams,
  ): Promise<BegunDiscussion> {
    const { position, ...note } = params;
    if (position && noteable.type !== 'MergeRequest') throw invalid({ position: ['is invalid'] });
    const { row, done } = await this.writing.run(caller, noteable, {
      ...note,
      ...(position ? { type: 'DiffNote', position } : { type: 'DiscussionNote' }),
    });
    return { id: row?.n_discussion_id ?? null, done };
  }

  /** Replies in a discussion: internal if the discussion is, and resolved if it is. @throws 403, 404, 429 */
  async reply(caller: UserCaller, noteable: Noteable, params: ReplyToDiscussionParams): Promise<WrittenNote> {
    const { discussion_id: discussionId, body, created_at } = params;
    const { notes } = await this.queries.find(noteable, discussionId);
    const [first] = notes;
    if (!first || first.n_system) throw forbidden();
    return this.writing.run(caller, noteable, {
      body,
      ...(created_at ? { created_at } : {}),
      internal: first.n_internal,
      discussionId,
      type: first.n_type === 'DiffNote' ? 'DiffNote' : 'DiscussionNote',
      ...(first.n_position === null ? {} : { position: first.n_position }),
      isResolved: first.n_type !== null && notes.every(({ n_resolved_at: at }) => at !== null),
    });
  }

  /** Resolves or unresolves a discussion of a merge request. @throws 400, 403, 404 */
  async resolve(caller: UserCaller, noteable: Noteable, id: string, resolved: boolean): Promise<void> {
    const { notes } = await this.queries.find(noteable, id);
    if (noteable.type !== 'MergeRequest' || notes[0]?.n_type === null)
      throw invalid({ resolved: ['is invalid'] });
    const { id: actorId } = caller.actor;
    const mayResolve = caller.role >= Role.Developer || noteable.authorId === actorId;
    if (!mayResolve || !noteable.mayComment) throw forbidden();
    await this.transactions.run(async (tx) => {
      await lockNoteable(tx, noteable.type, noteable.id);
      await tx.query(RESOLVE, [id, noteable.type, noteable.id, resolved, actorId]);
    });
  }

  /** Updates a note of a discussion, or resolves the discussion. @throws 400, 403, 404 */
  async updateNote(
    caller: UserCaller,
    noteable: Noteable,
    params: UpdateDiscussionNoteParams,
  ): Promise<void> {
    const { discussion_id: id, note_id: noteId, body, resolved } = params;
    if (body === undefined && resolved === undefined) throw nothingGiven();
    await this.queries.findNote(noteable, id, noteId);
    if (body !== undefined) await this.notes.update(caller, noteable, noteId, body);
    if (resolved !== undefined) await this.resolve(caller, noteable, id, resolved);
  }

  /** Removes a note of a discussion. @throws 403, 404, 412 */
  async removeNote(
    caller: Caller,
    noteable: Noteable,
    id: string,
    noteId: number,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.queries.findNote(noteable, id, noteId);
    await this.notes.remove(caller, noteable, noteId, unmodified);
  }
}
