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

/** Who is assigned to a thing, or asked to review it: table and key. */
const PEOPLE: Readonly<Record<string, readonly (readonly [table: string, key: string])[]>> = {
  Issue: [['issue_assignees', 'issue_id']],
  MergeRequest: [
    ['merge_request_assignees', 'merge_request_id'],
    ['merge_request_reviewers', 'merge_request_id'],
  ],
};

const MENTIONS = 'from mentions t where t.target_type = ? and t.target_id = ?';

/** Groups by whose names a thing mentions people, as far as `me` may know their members; nobody knows those of a group that is gone. */
const KNOWN_GROUPS = `select g.id from namespaces g ${ME} where g.id = any(array(select distinct t.via_group_id ${MENTIONS}))
  and not g.pending_delete and ${visible('g', groupRoleSql('me.id', 'g'))}`;

/** Those whom a thing mentions, by their own names or those of groups whose members the reader may know. */
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

/** Who takes part in a thing: its author, whoever is assigned to it, writes about it or is mentioned there (`planning.md` 2.3). */
@Injectable()
export class ParticipantsQueries {
  constructor(private readonly noteables: NoteableRegistry) {}

  /**
   * Those that the reader of the thing can know of: internal notes tell nothing to others, nor the names of groups. Who cannot read the thing, or
   * no longer, takes no part in it: it is not for others to know where they may read.
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
    // An array of ids is looked up: who can read the thing is asked of these people alone.
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
