import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { ListQuery } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { reachable } from '#core/labels/reach/planning-container.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import { ME, visible } from '#core/projects/project.row.js';
import type { ResourceEventKind } from './resource-event-kinds.js';
import type { ResourceEventRow } from './resource-event.record.js';

/** Columns with the issuable of an event. */
const ISSUABLE_COLUMNS: Readonly<Record<string, string>> = {
  Issue: 'x.issue_id',
  MergeRequest: 'x.merge_request_id',
  Epic: 'x.epic_id',
};

/**
 * SQL condition: the caller `me` can see the project or group of a label or milestone. A scalar subquery, so
 * that it is evaluated only for these rows and only when needed.
 */
const visibleOwner = (alias: string): string =>
  `coalesce((select ${visible('vp', projectRoleSql('me.id', 'vp', 'vn'))} from projects vp
      join namespaces vn on vn.id = vp.namespace_id where vp.id = ${alias}.project_id and not vp.pending_delete),
    (select ${visible('vg', groupRoleSql('me.id', 'vg'))} from namespaces vg where vg.id = ${alias}.group_id and not vg.pending_delete), false)`;

/** Reads resource events. */
@Injectable()
export class ResourceEventsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Lists the events of an issuable that its reader may see, oldest first. Labels and milestones of its
   * project and the groups above are visible to its readers; those of other containers (from before a move) to
   * users who can see these.
   */
  list<Row extends ResourceEventRow, EventRecord extends object>(
    { shape, names }: ResourceEventKind<Row, EventRecord>,
    { type, id, projectId, groupId }: Noteable,
    { actor }: Caller,
  ): ListQuery<Row> {
    const query = new ListQuery<Row>(shape).of(ISSUABLE_COLUMNS[type] ?? '', id);
    if (names !== null && actor?.admin !== true) {
      query.join(ME, actor?.id ?? null, false, actor !== null && !actor.external);
      const container = projectId === null ? [groupId] : [projectId, projectId];
      const own = projectId === null ? reachable.group(names, '?') : reachable.project(names, '?');
      query.where(`(${names}.id is null or ${own} or ${visibleOwner(names)})`, ...container);
    }
    return query.orderBy(shape.key, 'asc');
  }

  /** Returns a resource event of the issuable. @throws 404 if it does not exist */
  async find<Row extends ResourceEventRow, EventRecord extends object>(
    kind: ResourceEventKind<Row, EventRecord>,
    noteable: Noteable,
    caller: Caller,
    eventId: number,
  ): Promise<Row> {
    const query = this.list(kind, noteable, caller).where(`${kind.shape.key} = ?`, eventId);
    const { text, values } = query.pageStatement(1, 0);
    const row = await this.database.one<Row>(text, values);
    if (!row) throw notFound(kind.name);
    return row;
  }
}
