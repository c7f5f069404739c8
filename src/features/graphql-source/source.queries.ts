import { Injectable } from '@nestjs/common';
import type { Caller, SubjectCaller, Actor, ProjectSubject, GroupSubject } from '#kernel/access/caller.js';
import { admits } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { memberContainer, type MemberContainer } from '#core/members/member-container.js';
import { MembersQueries, type MemberRow } from '#core/members/members.queries.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { keepVisible } from '#core/projects/lists/visible-projects.js';
import { shownAddressSql } from '#core/users/addresses/shown-address.sql.js';

/** Row of a group or project, with the caller's role in it. */
export interface SourceRow {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly full_name: string;
  readonly description: string | null;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly settings: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly traversal_ids: readonly number[];
  readonly parent_id: number | null;
  readonly namespace_type: 'User' | 'Group';
  readonly archived: boolean;
  readonly default_branch: string | null;
  readonly role: Role;
}

/** Row of a project in a list. */
export interface ListedProject {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly description: string | null;
  readonly visibility: string;
  readonly archived: boolean;
  readonly created_at: Date;
}

/** Facts of a member that the list of members does not contain. */
export interface MemberDetails {
  readonly id: number;
  readonly public_email: string | null;
  readonly updated_at: Date | null;
}

const COMMON = ['id', 'name', 'path', 'full_path', 'full_name', 'description', 'visibility', 'settings']
  .concat('created_at', 'updated_at')
  .map((name) => `o.${name}`)
  .join(', ');

const ROUTE = 'r.path = lower($1) and not r.redirect';

const GROUP = `select ${COMMON}, o.traversal_ids, o.parent_id, 'Group' as namespace_type, false as archived,
    null::text as default_branch, ${groupRoleSql('$2::bigint', 'o')} as role
  from routes r join namespaces o on o.id = r.source_id and o.type = 'Group' and not o.pending_delete
  where ${ROUTE} and r.source_type = 'Namespace'`;

const PROJECT = `select ${COMMON}, n.traversal_ids, n.id as parent_id, n.type as namespace_type, o.archived, o.default_branch,
    ${projectRoleSql('$2::bigint', 'o', 'n')} as role
  from routes r join projects o on o.id = r.source_id and not o.pending_delete join namespaces n on n.id = o.namespace_id
  where ${ROUTE} and r.source_type = 'Project'`;

const PROJECTS: ListShape = {
  kind: 'Project',
  select: 'p.id, p.name, p.path, p.full_path, p.description, p.visibility, p.archived, p.created_at',
  from: 'projects p',
  key: 'p.id',
};

const BELOW =
  'p.namespace_id = any(array(select d.id from namespaces d where d.traversal_ids @> array[?::bigint]))';

const DETAILS = `select u.id, ${shownAddressSql('u')} as public_email, m.updated_at from users u
  left join members m on m.user_id = u.id and m.source_type = $2 and m.source_id = $3 where u.id = any($1::bigint[])`;

/** Reads what other instances query, by the rules of the guards. */
@Injectable()
export class SourceQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly members: MembersQueries,
  ) {}

  /** Returns the caller as on a route of that group or project; null if they cannot see it. */
  async enter(
    kind: 'Group' | 'Project',
    path: string,
    caller: Caller,
  ): Promise<[SourceRow, SubjectCaller] | null> {
    if (path.length > 1024 || path.includes('\0') || !path.isWellFormed()) return null;
    const { actor } = caller;
    const text = kind === 'Group' ? GROUP : PROJECT;
    const row = await this.database.one<SourceRow>(text, [path, actor?.id ?? null]);
    if (!row) return null;
    const role = actor?.admin ? Role.Admin : row.role;
    const isVisible = role >= Role.Minimal || admits(row.visibility, actor);
    return isVisible ? [row, { ...caller, role, subject: subjectOf(kind, row) }] : null;
  }

  /** Lists the projects of a group that the caller can see, by id. */
  projects(
    groupId: number,
    withSubgroups: boolean,
    actor: Actor | null,
    after: number,
    limit: number,
  ): Promise<ListedProject[]> {
    const list = new ListQuery<ListedProject>(PROJECTS).where('not p.pending_delete');
    list.where(withSubgroups ? BELOW : 'p.namespace_id = ?', groupId).where('p.id > ?', after);
    keepVisible(list, actor);
    return this.read(list, limit);
  }

  /** Lists members by user id: direct members, or all users with a role. */
  membersOf(caller: SubjectCaller, onlyDirect: boolean, after: number, limit: number): Promise<MemberRow[]> {
    const container = memberContainer(caller);
    const list = onlyDirect ? this.members.direct(container) : this.members.all(container, caller);
    return this.read(list.where('u.id > ?', after), limit);
  }

  /** Returns further facts of these members. */
  async details(
    container: MemberContainer,
    userIds: readonly number[],
  ): Promise<ReadonlyMap<number, MemberDetails>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.database.short<MemberDetails>(DETAILS, [userIds, container.type, container.id]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  private read<Row extends object>(list: ListQuery<Row>, limit: number): Promise<Row[]> {
    const { text, values } = list.pageStatement(limit, 0);
    return this.database.long<Row>(text, values);
  }
}

function subjectOf(kind: 'Group' | 'Project', row: SourceRow): GroupSubject | ProjectSubject {
  const common = {
    id: row.id,
    name: row.name,
    path: row.path,
    fullPath: row.full_path,
    fullName: row.full_name,
    visibility: row.visibility,
    settings: row.settings,
    traversalIds: row.traversal_ids,
    updatedAt: row.updated_at,
    byOldPath: false,
  };
  if (kind === 'Group') return { ...common, kind, parentId: row.parent_id };
  return {
    ...common,
    kind,
    namespaceId: row.parent_id as number,
    namespaceType: row.namespace_type,
    archived: row.archived,
    defaultBranch: row.default_branch,
  };
}
