import { live } from '#kernel/database/time.sql.js';
import { Injectable } from '@nestjs/common';
import type { ProjectCaller, Actor, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { isoTime } from '#kernel/http/times.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import {
  presentUserBasic,
  type UserBasicRecord,
  type UserBasicRow,
} from '#core/users/records/user-basic.record.js';
import type {
  ListProjectGroupsParams,
  ListProjectUsersParams,
  ListStarrersParams,
} from './project-people.params.js';
import type { ProjectGroupRecord, StarrerRecord } from './project-people.record.js';
import { containing } from '#kernel/database/like.sql.js';
import { ME, visible } from '../project.row.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

const USER = userColumns('u');

const STARRERS: ListShape = {
  kind: 'User',
  select: `${USER}, s.created_at as starred_at`,
  from: 'project_stars s join users u on u.id = s.user_id',
  key: 'u.id',
};

const USERS: ListShape = { kind: 'User', select: USER, from: 'users u', key: 'u.id' };

const GROUPS: ListShape = {
  kind: 'Group',
  select: 'g.id, g.name, g.full_name, g.full_path, g.avatar',
  from: 'namespaces g',
  key: 'g.id',
};

/**
 * Users with a role in a project; parameters: its id and those of the groups above, both again for shares,
 * and the namespace. Members of an invited group are visible only to users who can see the group, since the
 * group owns them.
 */
const WITH_ROLE = `u.id in (
  select m.user_id from members m where m.source_type = 'Project' and m.source_id = ? and ${live('m')}
  union select m.user_id from members m where m.source_type = 'Namespace' and m.source_id = any(?::bigint[]) and ${live('m')} and m.access_level > ${Role.Minimal}
  union select m.user_id from group_links l join namespaces g on g.id = l.group_id and not g.pending_delete
    join members m on m.source_type = 'Namespace' and m.source_id = any(g.traversal_ids) and ${live('m')} and m.access_level > ${Role.Minimal}
    where ${live('l')} and (m.user_id = me.id or ${visible('g', groupRoleSql('me.id', 'g'))}) and ((l.source_type = 'Project' and l.source_id = ?) or (l.source_type = 'Namespace' and l.source_id = any(?::bigint[])))
  union select n.owner_id from namespaces n where n.id = ? and n.owner_id is not null)`;

/** The groups above, and those it is shared with that the caller can see. */
const WITH_SHARED = `(g.id = any(?::bigint[]) or (${visible('g', groupRoleSql('me.id', 'g'))} and g.id in (
  select l.group_id from group_links l where ${live('l')} and ((l.source_type = 'Project' and l.source_id = ?)
    or (l.source_type = 'Namespace' and l.source_id = any(?::bigint[]))) and l.access_level >= ?)))`;

interface StarrerRow extends UserBasicRow {
  readonly starred_at: Date;
}

interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
  readonly full_path: string;
  readonly avatar: string | null;
}

/** Lists the users and groups with access to a project, and the users who starred it. */
@Injectable()
export class ProjectPeopleQueries {
  constructor(private readonly links: Links) {}

  /** Lists the users who starred it; private profiles are visible only to themselves and administrators. */
  async starrers(
    page: Page,
    projectId: number,
    actor: Actor | null,
    params: ListStarrersParams,
  ): Promise<StarrerRecord[]> {
    const query = new ListQuery<StarrerRow>(STARRERS).where('s.project_id = ?', projectId);
    if (!actor?.admin) query.where('(not u.private_profile or u.id = ?)', actor?.id ?? 0);
    searchUsers(query, params.search);
    const rows = await page.load(query);
    return rows.map((row) => ({
      starred_since: isoTime(row.starred_at),
      user: presentUserBasic(row, this.links),
    }));
  }

  /** Lists the users with a role in it. */
  async users(page: Page, caller: ProjectCaller, params: ListProjectUsersParams): Promise<UserBasicRecord[]> {
    const { id, traversalIds, namespaceId } = caller.subject;
    const { actor } = caller;
    const query = new ListQuery<UserBasicRow>(USERS);
    // Callers who manage the members must see all of them.
    query.join(ME, actor?.id ?? null, caller.role >= Role.Maintainer, actor !== null && !actor.external);
    query.where(WITH_ROLE, id, traversalIds, id, traversalIds, namespaceId);
    if (params.skip_users?.length) query.where('u.id <> all(?::bigint[])', params.skip_users);
    searchUsers(query, params.search);
    return (await page.load(query)).map((row) => presentUserBasic(row, this.links));
  }

  /** Lists the groups above it and, if requested, those it is shared with. */
  async groups(
    page: Page,
    project: ProjectSubject,
    actor: Actor | null,
    params: ListProjectGroupsParams,
  ): Promise<ProjectGroupRecord[]> {
    const query = new ListQuery<GroupRow>(GROUPS).where(`g.type = 'Group' and not g.pending_delete`);
    const { id, traversalIds } = project;
    if (params.with_shared) {
      query.join(ME, actor?.id ?? null, actor?.admin === true, actor !== null && !actor.external);
      query.where(WITH_SHARED, traversalIds, id, traversalIds, params.shared_min_access_level ?? 0);
    } else query.where('g.id = any(?::bigint[])', traversalIds);
    if (params.skip_groups?.length) query.where('g.id <> all(?::bigint[])', params.skip_groups);
    if (params.search) {
      const like = containing(params.search);
      query.where('(g.full_name ilike ? or g.full_path ilike ?)', like, like).long();
    }
    return (await page.load(query)).map((row) => ({
      id: row.id,
      web_url: this.links.group(row.full_path),
      name: row.name,
      avatar_url: this.links.avatar('group', row.id, row.avatar),
      full_name: row.full_name,
      full_path: row.full_path,
    }));
  }
}

function searchUsers(query: ListQuery<object>, search: string | undefined): void {
  if (!search) return;
  const like = containing(search);
  query.where('(u.name ilike ? or u.username ilike ?)', like, like).long();
}
