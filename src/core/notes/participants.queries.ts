import { ListQuery, type ListShape } from '#kernel/database/list-query.js';
import { Injectable } from '@nestjs/common';
import type { UserBasicRow } from '#core/users/records/user-basic.record.js';
import type { Noteable } from './noteable.js';
import { userColumns } from '#core/users/records/user-basic-sql.js';

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

/** Who takes part in a thing: its author, whoever is assigned to it, writes about it or is mentioned there (`planning.md` 2.3). */
@Injectable()
export class ParticipantQueries {
  /** Those that the reader of the thing can know of: internal notes tell nothing to others. */
  list({ type, id, authorId, mayReadInternal }: Noteable): ListQuery<UserBasicRow> {
    const people = (PEOPLE[type] ?? []).map(
      ([table, key]) => `union all select t.user_id from ${table} t where t.${key} = ?`,
    );
    const writers = `select t.author_id from notes t where t.noteable_type = ? and t.noteable_id = ? and not t.system
      ${mayReadInternal ? '' : 'and not t.internal'}`;
    const mentioned = `select t.user_id from mentions t where t.target_type = ? and t.target_id = ?
      ${mayReadInternal ? '' : 'and not exists (select 1 from notes x where x.id = t.note_id and x.internal)'}`;
    return new ListQuery<UserBasicRow>(LIST)
      .where(
        `u.id in (select ?::bigint ${people.join(' ')} union all ${writers} union all ${mentioned})`,
        authorId,
        ...people.map(() => id),
        type,
        id,
        type,
        id,
      )
      .orderBy('u.id', 'asc')
      .long();
  }
}
