import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import { ME, visible } from '#core/projects/project.row.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { UserBasicRow } from '#core/users/records/user-basic.record.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';
import type { Noteable } from '../noteables/noteable.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';

const LIST: ListShape = {
  kind: 'User',
  select: userColumns('u'),
  from: 'users u',
  key: 'u.id',
};

/** Tables and keys of assignees and reviewers of noteables. */
const PEOPLE: Readonly<Record<string, readonly (readonly [table: string, key: string])[]>> = {
  Issue: [['issue_assignees', 'issue_id']],
  MergeRequest: [
    ['merge_request_assignees', 'merge_request_id'],
    ['merge_request_reviewers', 'merge_request_id'],
  ],
};

const MENTIONS = 'from mentions t where t.target_type = ? and t.target_id = ?';

/** Mentioned groups whose members `me` may know; those of a removed group are hidden from all users. */
const KNOWN_GROUPS = `select g.id from namespaces g ${ME} where g.id = any(array(select distinct t.via_group_id ${MENTIONS}))
  and not g.pending_delete and ${visible('g', groupRoleSql('me.id', 'g'))}`;

/** SQL for users mentioned by name, or by groups whose members the reader may know. */
function mentioned({ type, id, reader, mayReadInternal }: Noteable): SqlPiece {
  const open = mayReadInternal
    ? ''
    : 'and not exists (select 1 from notes x where x.id = t.note_id and x.internal)';
  const all = `select t.user_id ${MENTIONS} ${open}`;
  if (reader?.admin) return { sql: all, values: [type, id] };
  const named = `${all} and (t.via_group_id is null`;
  if (!reader) return { sql: `${named})`, values: [type, id] };
  const { id: userId, admin, external }: Actor = reader;
  return {
    sql: `${named} or t.via_group_id in (${KNOWN_GROUPS}))`,
    values: [type, id, userId, admin, !external, type, id],
  };
}

/**
 * Lists participants: the author, assignees, users who wrote about the noteable and mentioned ones
 * (`planning.md` 2.3).
 */
@Injectable()
export class ParticipantsQueries {
  constructor(private readonly noteables: NoteableRegistry) {}

  /**
   * Lists the participants that the reader may know of: not from internal notes hidden from the reader, nor
   * by hidden groups. Users who cannot read the noteable, or no longer, are not participants, so that the
   * list does not reveal their access.
   */
  list(noteable: Noteable): ListQuery<UserBasicRow> {
    const { type, id, authorId, mayReadInternal } = noteable;
    const people = (PEOPLE[type] ?? []).map(
      ([table, key]) => `union select t.user_id from ${table} t where t.${key} = ?`,
    );
    const writers = `select t.author_id from notes t where t.noteable_type = ? and t.noteable_id = ? and not t.system
      ${mayReadInternal ? '' : 'and not t.internal'}`;
    const named = mentioned(noteable);
    const readers = this.noteables.readableBy(noteable);
    // An array of ids is looked up, so that access to the noteable is checked only for these users.
    return new ListQuery<UserBasicRow>(LIST)
      .where(
        `u.id = any(array(select ?::bigint ${people.join(' ')} union ${writers} union ${named.sql}))`,
        authorId,
        ...people.map(() => id),
        type,
        id,
        ...named.values,
      )
      .where(readers.sql, ...readers.values)
      .orderBy('u.id', 'asc')
      .long();
  }
}
