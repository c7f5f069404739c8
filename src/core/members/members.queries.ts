import { Injectable } from '@nestjs/common';
import { containing } from '#kernel/database/like.sql.js';
import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { UserBasicRow, PrefixedUser } from '#core/users/records/user-basic.record.js';
import type { MemberContainer } from './member-container.js';
import type { ListMembersParams } from './members.params.js';
import { groupRoleSql } from './sql/role.sql.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';
import { showsAddressSql, shownAddressSql } from '#core/users/addresses/shown-address.sql.js';

/** Row of a member; `id` is that of the user. */
export interface MemberRow extends UserBasicRow, PrefixedUser<'creator_'> {
  readonly email: string;
  /** The public email address. */
  readonly shown_email: string;
  readonly user_type: string;
  readonly access_level: number;
  readonly created_at: Date;
  readonly expires_at: string | null;
}

const SHAPE: ListShape = {
  kind: 'Member',
  select: `${userColumns('u')}, u.email, ${shownAddressSql('u')} as shown_email,
    u.user_type, m.access_level, m.created_at, m.expires_at,
    ${userColumns('c', 'creator_')}`,
  from: 'users u',
  key: 'u.id',
};

const COLUMNS = 'user_id, access_level, created_by_id, created_at, expires_at';
const LIVE = '(expires_at is null or expires_at > current_date)';
const DIRECT = `select ${COLUMNS} from members where source_type = ? and source_id = ? and ${LIVE}`;

/** The owner of the namespace is a member of each project in it, without a row. */
const PERSONAL = `select n.owner_id, ${Role.Owner}, null::bigint, p.created_at, null::date from projects p
  join namespaces n on n.id = p.namespace_id where p.id = ?`;
const NOT_OWNER = `and user_id <> (select n.owner_id from projects p join namespaces n on n.id = p.namespace_id where p.id = ?)`;

const INHERITED = `select ${COLUMNS} from members where source_type = 'Namespace' and source_id = any(?::bigint[]) and ${LIVE}`;

/**
 * Members of invited groups; those of private groups only for callers who can see them or manage the container.
 */
const INVITED = `select m.user_id, least(m.access_level, l.access_level), m.created_by_id, m.created_at,
    least(m.expires_at, l.expires_at) from group_links l
  join namespaces g on g.id = l.group_id and not g.pending_delete
  join members m on m.source_type = 'Namespace' and m.source_id = any(g.traversal_ids)
    and (m.expires_at is null or m.expires_at > current_date)
  where ((l.source_type = ? and l.source_id = ?) or (l.source_type = 'Namespace' and l.source_id = any(?::bigint[])))
    and (l.expires_at is null or l.expires_at > current_date)
    and (g.visibility = 'public' or (g.visibility = 'internal' and ?::boolean) or ?::boolean or m.user_id = ?::bigint or ${groupRoleSql('?::bigint', 'g')} > 0)`;

/** Number of placeholders for the caller in INVITED, besides its five other values. */
const ACTOR_MARKS = INVITED.split('?').length - 1 - 5;

const join = (rows: string): string =>
  `join (${rows}) m on m.user_id = u.id left join users c on c.id = m.created_by_id`;

/** Reads the members of a group or project. */
@Injectable()
export class MembersQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists direct members. */
  direct(container: MemberContainer): ListQuery<MemberRow> {
    const [rows, values] = directRows(container);
    return new ListQuery<MemberRow>(SHAPE).join(join(rows), ...values).where('not u.pending_delete');
  }

  /** Lists all users with a role, each once with the highest level. */
  all(container: MemberContainer, { actor, role }: Caller): ListQuery<MemberRow> {
    const [direct, values] = directRows(container);
    const manages = role >= (container.kind === 'Group' ? Role.Owner : Role.Maintainer);
    const actors = Array.from({ length: ACTOR_MARKS }, () => actor?.id ?? 0);
    const rows = `select distinct on (user_id) ${COLUMNS} from (${direct} union all ${INHERITED} union all ${INVITED}) every_way
      order by user_id, access_level desc, created_at`;
    const list = new ListQuery<MemberRow>(SHAPE)
      .join(
        join(rows),
        ...values,
        container.inheritedIds,
        ...[container.type, container.id, container.traversalIds, actor !== null && !actor.external, manages],
        ...actors,
      )
      .where('not u.pending_delete');
    // Minimal access to a group gives none to its projects.
    return container.kind === 'Project' ? list.where('m.access_level > ?', Role.Minimal) : list;
  }

  /** Adds the filters of a request. */
  filter(list: ListQuery<MemberRow>, params: ListMembersParams): ListQuery<MemberRow> {
    const { query, user_ids: only, skip_users: without } = params;
    if (query !== undefined && query !== '') {
      const pattern = containing(query);
      list
        .where(
          `(u.name ilike ? or u.username ilike ? or ${showsAddressSql('u', '?')})`,
          pattern,
          pattern,
          query,
        )
        .long();
    }
    if (only) list.where('u.id = any(?::bigint[])', only);
    if (without) list.where('u.id <> all(?::bigint[])', without);
    return list;
  }

  /** Returns a user of a list, or null. */
  async pick(list: ListQuery<MemberRow>, userId: number): Promise<MemberRow | null> {
    const { text, values } = list.where('u.id = ?', userId).pageStatement(1, 0);
    return this.database.one<MemberRow>(text, values);
  }
}

function directRows({ type, id, isPersonal }: MemberContainer): [string, unknown[]] {
  return isPersonal
    ? [`${DIRECT} ${NOT_OWNER} union all ${PERSONAL}`, [type, id, id, id]]
    : [DIRECT, [type, id]];
}
