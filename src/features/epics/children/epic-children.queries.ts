import { Injectable } from '@nestjs/common';
import type { UserCaller, GroupCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import { EPIC_FROM, epicColumns } from '../records/epic-columns.sql.js';
import { EpicNoteableContribution } from '../visibility/epic-noteable.contribution.js';
import { keepReadableEpics } from '../visibility/epic-visibility.js';
import type { EpicRow } from '../records/present-epic.js';

const SHAPE: ListShape = {
  kind: 'Epic',
  select: epicColumns(false),
  from: EPIC_FROM,
  countFrom: 'epics e join namespaces n on n.id = any(array[e.group_id])',
  key: 'e.id',
};

const CHILD = `select e.parent_id, e.confidential, ${groupRoleSql('$2::bigint', 'n')} as role
  from epics e join namespaces n on n.id = e.group_id and not n.pending_delete where e.id = $1`;

interface ChildFacts {
  readonly parent_id: number | null;
  readonly confidential: boolean;
  readonly role: Role;
}

/** Reads the children of epics. */
@Injectable()
export class EpicChildrenQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly noteables: EpicNoteableContribution,
  ) {}

  /**
   * Lists the children that the caller may read, in order; they are in the group of the request or below it.
   */
  list(caller: GroupCaller, parentId: number): ListQuery<EpicRow> {
    const query = new ListQuery<EpicRow>(SHAPE)
      .of('e.parent_id', parentId)
      .where('n.traversal_ids @> array[?::bigint] and not n.pending_delete', caller.subject.id);
    keepReadableEpics(query, caller, {}, 'n');
    return query.orderByExpression('e.parent_id, e.relative_position, e.id');
  }

  /** Asserts that the caller may move an epic in the tree. @throws 404 if the caller may not read it, 403 */
  async assertMovable(caller: UserCaller, id: number): Promise<void> {
    const { id: userId, admin } = caller.actor;
    const child = await this.database.one<ChildFacts>(CHILD, [id, userId]);
    const readers = child ? await this.noteables.readersAmong(id, [userId], false) : null;
    if (!child || !(admin || readers?.has(userId))) throw notFound('Epic');
    const least = child.confidential ? Role.Reporter : Role.Guest;
    if (!admin && (child.role < least || caller.role < least)) throw forbidden();
  }
}
