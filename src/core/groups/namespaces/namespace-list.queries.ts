import { Injectable } from '@nestjs/common';
import { containing } from '#kernel/database/like.sql.js';
import type { Actor } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { hasGroupRoleSql } from '../group-access.sql.js';
import type { NamespaceRow } from './namespace.record.js';

const HAS_ROLE = hasGroupRoleSql('?::bigint', '?::int');

const BELOW = 'array(select d.id from namespaces d where d.traversal_ids @> array[n.id])';
const LIVE = '(m.expires_at is null or m.expires_at > current_date)';

/**
 * Numbers of members of a group and everything below, without duplicates, and of members who use a seat; only
 * computed for rows that are shown.
 */
const COUNTS = `case when access.administers and n.type = 'Group' then (
    select array[count(*), count(*) filter (where u.state = 'active' and u.user_type = 'human')] from users u where u.id = any(array(
      select m.user_id from members m where m.source_type = 'Namespace' and m.source_id = any(${BELOW}) and ${LIVE}
      union
      select m.user_id from members m where m.source_type = 'Project' and ${LIVE} and m.source_id = any(array(
        select p.id from projects p where p.namespace_id = any(${BELOW})))))
  ) else array[1::bigint, 1::bigint] end`;

const SHAPE: ListShape = {
  kind: 'Namespace',
  select: `n.id, n.type, n.name, n.path, n.full_path, n.parent_id, n.avatar, n.owner_id, access.administers, ${COUNTS} as member_counts`,
  from: 'namespaces n',
  key: 'n.id',
};

const TAKEN = 'select path from routes where not redirect and path = any($1::text[])';
/** Names looked up at once: a condition on their common beginning would read all routes. */
const NUMBERS = 100;
const PARENT = `select full_path from namespaces where id = $1 and not pending_delete`;

/** Lists namespaces, and looks up used paths. */
@Injectable()
export class NamespaceListQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Lists the caller's own namespace and the groups in which the caller has a role; all for administrators.
   */
  list(actor: Actor, search: string | undefined, ownedOnly: boolean | undefined): ListQuery<NamespaceRow> {
    const list = this.base(actor);
    const level = ownedOnly ? 50 : 5;
    if (!actor.admin || ownedOnly)
      list.where(`(n.owner_id = ? or ${HAS_ROLE})`, actor.id, actor.id, level, actor.id, level);
    if (search) {
      const pattern = containing(search);
      list.where('(n.name ilike ? or n.path ilike ?)', pattern, pattern).long();
    }
    return list;
  }

  /** Returns a namespace. */
  async one(actor: Actor, id: number): Promise<NamespaceRow | null> {
    const { text, values } = this.base(actor).where('n.id = ?', id).pageStatement(1, 0);
    return this.database.one<NamespaceRow>(text, values);
  }

  /** Returns whether a full path is in use, and the first free one with a number appended. */
  async taken(path: string, parentId: number | undefined): Promise<{ exists: boolean; suggestion: string }> {
    const parent =
      parentId === undefined ? null : await this.database.one<{ full_path: string }>(PARENT, [parentId]);
    const fullPath = (parent ? `${parent.full_path}/${path}` : path).toLowerCase();
    for (let first = 1; ; first += NUMBERS) {
      const names = Array.from({ length: NUMBERS }, (_, index) => `${fullPath}${first + index}`);
      const rows = await this.database.short<{ path: string }>(TAKEN, [[fullPath, ...names]]);
      const used = new Set(rows.map((row) => row.path));
      const free = names.findIndex((name) => !used.has(name));
      if (free !== -1) return { exists: used.has(fullPath), suggestion: `${path}${first + free}` };
    }
  }

  private base({ id, admin }: Actor): ListQuery<NamespaceRow> {
    return new ListQuery<NamespaceRow>(SHAPE)
      .join(
        `cross join lateral (select ?::boolean or n.owner_id is not distinct from ?::bigint or ${HAS_ROLE} as administers) access`,
        ...[admin, id, id, 50, id, 50],
      )
      .where('not n.pending_delete');
  }
}
