import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { NOTE_COLUMNS, NOTE_JOINS, type NoteRow } from '../note.record.js';
import { NoteOriginsService, numbered } from '../note-origins.service.js';
import type { Noteable } from '../noteables/noteable.js';

/** First notes of discussions: an individual note, or one without earlier notes. */
const LIST: ListShape = {
  kind: 'Discussion',
  select: 'n.id, n.discussion_id',
  from: 'notes n',
  key: 'n.id',
};

const IS_FIRST = `(n.type is null or not exists (select 1 from notes e where e.discussion_id = n.discussion_id
  and e.noteable_type = n.noteable_type and e.noteable_id = n.noteable_id and e.id < n.id))`;

const NOTES = `select ${NOTE_COLUMNS} from notes n ${NOTE_JOINS} where n.discussion_id = any($1::text[])
  and n.noteable_type = $2 and n.noteable_id = $3 and `;

/** The notes of a discussion, in order. */
export interface Discussion {
  readonly id: string;
  readonly notes: readonly NoteRow[];
}

/** Reads discussions. */
@Injectable()
export class DiscussionsQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly sources: NoteOriginsService,
  ) {}

  /** Lists the discussions of a noteable that its reader may see, oldest first; `of` reads their notes. */
  list(noteable: Noteable): ListQuery<{ id: number; discussion_id: string }> {
    const query = new ListQuery<{ id: number; discussion_id: string }>(LIST)
      .of('n.noteable_type', noteable.type, 'text')
      .where('n.noteable_id = ?', noteable.id)
      .where(IS_FIRST);
    const readable = this.sources.readable(noteable);
    return query.where(readable.sql, ...readable.values).orderBy('n.id', 'asc');
  }

  /** Reads discussions with their notes, in the order of the ids. */
  async of(noteable: Noteable, ids: readonly string[]): Promise<Discussion[]> {
    if (ids.length === 0) return [];
    const own = [ids, noteable.type, noteable.id];
    const { sql, values } = numbered(this.sources.readable(noteable), own.length);
    const rows = await this.database.short<NoteRow>(`${NOTES}${sql} order by n.id`, [...own, ...values]);
    const byId = new Map<string, NoteRow[]>();
    for (const row of rows) {
      const notes = byId.get(row.n_discussion_id);
      if (notes) notes.push(row);
      else byId.set(row.n_discussion_id, [row]);
    }
    return ids.flatMap((id) => {
      const notes = byId.get(id);
      return notes ? [{ id, notes }] : [];
    });
  }

  /** Returns a discussion. @throws 404 */
  async find(noteable: Noteable, id: string): Promise<Discussion> {
    const [found] = await this.of(noteable, [id]);
    if (!found) throw notFound('Discussion');
    return found;
  }

  /** Returns a note of a discussion. @throws 404 */
  async findNote(noteable: Noteable, id: string, noteId: number): Promise<NoteRow> {
    const { notes } = await this.find(noteable, id);
    const note = notes.find(({ n_id: one }) => one === noteId);
    if (!note) throw notFound('Note');
    return note;
  }
}
