import { Injectable } from '@nestjs/common';
import { containing } from '#kernel/database/like.sql.js';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { hasGroupRoleSql } from './group-access.sql.js';
import { GROUP_COLUMNS, type GroupRow } from './group.row.js';
import type { ListGroupsParams } from './groups.params.js';

const SHAPE: ListShape = {
  kind: 'Group',
  select: GROUP_COLUMNS,
  from: 'namespaces n',
  key: 'n.id',
  keyset: {
    name: {
      columns: [
        { sql: 'n.name', property: 'name', type: 'text' },
        { sql: 'n.id', property: 'id', type: 'bigint' },
      ],
      directions: ['asc'],
    },
  },
};

const HAS_ROLE = hasGroupRoleSql('?::bigint', '?::int');
/** The group and all below it, collected before sorting. */
const BELOW = 'n.id = any(array(select d.id from namespaces d where d.traversal_ids @> array[?::bigint]))';
const BY_ID = `select ${GROUP_COLUMNS} from namespaces n where n.id = $1 and n.type = 'Group' and not n.pending_delete`;

/** Reads lists of groups and single rows. */
@Injectable()
export class GroupsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a group. @throws 404 */
  async find(id: number): Promise<GroupRow> {
    const row = await this.database.one<GroupRow>(BY_ID, [id]);
    if (!row) throw notFound('Group');
    return row;
  }

  /** Lists the groups that the caller can see, with filters and order. */
  list(actor: Actor | null, params: ListGroupsParams): ListQuery<GroupRow> {
    const list = new ListQuery<GroupRow>(SHAPE).where(`n.type = 'Group' and not n.pending_delete`);
    this.restrict(list, actor, params);
    if (params.skip_groups?.length) list.where('n.id <> all(?::bigint[])', params.skip_groups);
    if (params.visibility) list.where('n.visibility = ?', params.visibility);
    if (params.top_level_only) list.where('n.parent_id is null');
    return this.search(list, params);
  }

  /** Lists the direct subgroups of a group. */
  subgroups(groupId: number, actor: Actor | null, params: ListGroupsParams): ListQuery<GroupRow> {
    return this.list(actor, params).where('n.parent_id = ?', groupId);
  }

  /** Lists all groups below a group. */
  descendants(groupId: number, actor: Actor | null, params: ListGroupsParams): ListQuery<GroupRow> {
    return this.list(actor, params).where(`${BELOW} and n.id <> ?`, groupId, groupId);
  }

  private restrict(list: ListQuery<GroupRow>, actor: Actor | null, params: ListGroupsParams): void {
    if (!actor) {
      list.where(`n.visibility = 'public'`);
      if (params.owned || params.min_access_level !== undefined) list.where('false');
      return;
    }
    const { id, admin, external } = actor;
    if (params.owned) list.where(HAS_ROLE, id, Role.Owner, id, Role.Owner);
    const level = params.min_access_level;
    if (level !== undefined) list.where(HAS_ROLE, id, level, id, level);
    if (params.owned || level !== undefined || (admin && params.all_available !== false)) return;
    const open = external ? `n.visibility = 'public'` : `n.visibility <> 'private'`;
    if (params.all_available) list.where(`(${open} or ${HAS_ROLE})`, id, Role.Minimal, id, Role.Minimal);
    else list.where(HAS_ROLE, id, Role.Minimal, id, Role.Minimal);
  }

  private search(list: ListQuery<GroupRow>, params: ListGroupsParams): ListQuery<GroupRow> {
    const { search = '', order_by: by = 'name', sort = 'asc' } = params;
    const order = by === 'similarity' && search === '' ? 'name' : by;
    if (search !== '') {
      const pattern = containing(search);
      list.where('(n.name ilike ? or n.path ilike ?)', pattern, pattern).long();
    }
    if (order !== 'similarity') return list.orderBy(`n.${order}`, sort);
    list.join('cross join (select ?::text as text) wanted', search);
    return list.orderByExpression(
      `greatest(similarity(n.name, wanted.text), similarity(n.path, wanted.text)) desc, n.name, n.id`,
    );
  }
}
