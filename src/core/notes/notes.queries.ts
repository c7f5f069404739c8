import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { NOTE_COLUMNS, NOTE_JOINS, type NoteRow } from './note.record.js';
import { NoteOriginsService, numbered } from './note-origins.service.js';
import type { Noteable } from './noteables/noteable.js';
import type { ListNotesParams } from './notes.params.js';

const LIST: ListShape = {
  kind: 'Note',
  select: `n.id, ${NOTE_COLUMNS}`,
  from: `notes n ${NOTE_JOINS}`,
  countFrom: 'notes n',
  deepFrom: 'notes n',
  key: 'n.id',
};

const ONE = `select ${NOTE_COLUMNS} from notes n ${NOTE_JOINS}
  where n.id = $1 and n.noteable_type = $2 and n.noteable_id = $3 and `;

/** Reads the notes of noteables. */
@Injectable()
export class NotesQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly sources: NoteOriginsService,
  ) {}

  /** Lists the notes of a noteable that its reader may see. */
  list(noteable: Noteable, params: ListNotesParams): ListQuery<NoteRow> {
    const query = new ListQuery<NoteRow>(LIST)
      .of('n.noteable_type', noteable.type, 'text')
      .where('n.noteable_id = ?', noteable.id);
    const readable = this.sources.readable(noteable);
    query.where(readable.sql, ...readable.values);
    if (params.activity_filter === 'only_comments') query.where('not n.system');
    if (params.activity_filter === 'only_activity') query.where('n.system');
    return query.orderBy(`n.${params.order_by ?? 'created_at'}`, params.sort ?? 'desc');
  }

  /** Returns a note of a noteable. @throws 404 also if its reader may not see it */
  async find(noteable: Noteable, id: number): Promise<NoteRow> {
    const own = [id, noteable.type, noteable.id];
    const { sql, values } = numbered(this.sources.readable(noteable), own.length);
    const row = await this.database.one<NoteRow>(ONE + sql, [...own, ...values]);
    if (!row) throw notFound('Note');
    return row;
  }

  /** Lists the notes on a commit, oldest first. */
  ofCommit({ projectId, commitId }: Noteable): ListQuery<NoteRow> {
    return new ListQuery<NoteRow>(LIST)
      .where('n.project_id = ?', projectId)
      .where('n.commit_id = ?', commitId)
      .orderBy('n.created_at', 'asc');
  }
}
