import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import type { GroupLinkRecord } from '../group.record.js';

/** Groups that a group is shared with; private ones only for callers who can see or manage them. */
const LINKS = `select n.id as group_id, n.name as group_name, n.full_path as group_full_path,
    l.access_level as group_access_level, l.expires_at
  from group_links l join namespaces n on n.id = l.group_id and not n.pending_delete
  where l.source_type = 'Namespace' and l.source_id = $1 and (l.expires_at is null or l.expires_at > current_date)
    and (n.visibility = 'public' or (n.visibility = 'internal' and $3::boolean) or $4::boolean
      or ${groupRoleSql('$2::bigint', 'n')} > 0)
  order by l.id limit 1000`;

/** Reads the shares of groups. */
@Injectable()
export class GroupLinksQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the groups that a group is shared with. */
  ofGroup(id: number, { actor }: Caller, role: Role): Promise<GroupLinkRecord[]> {
    const seesInternal = actor !== null && !actor.external;
    return this.database.short<GroupLinkRecord>(LINKS, [
      id,
      actor?.id ?? 0,
      seesInternal,
      role >= Role.Owner,
    ]);
  }
}
