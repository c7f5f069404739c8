import { live } from '#kernel/database/time.sql.js';
import { Role } from '#kernel/access/roles.js';
import { fieldsOf } from '#kernel/http/fields/field-spec.js';
import type { GroupLinkRecord } from '#core/groups/group.record.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import type { UserBasicRow } from '#core/users/records/user-basic.record.js';
import { ProjectStatisticsRecord } from './records/project-parts.record.js';
import { userJson } from '#core/users/records/user-basic.sql.js';

/** Columns of the simple form. */
export interface ProjectSimpleRow {
  readonly id: number;
  readonly description: string | null;
  readonly name: string;
  readonly full_name: string;
  readonly path: string;
  readonly full_path: string;
  readonly created_at: Date;
  readonly default_branch: string | null;
  readonly topics: readonly string[];
  readonly readme_path: string | null;
  readonly star_count: number;
  readonly last_activity_at: Date;
  readonly forks_count: number;
  readonly ns_id: number;
  readonly ns_type: 'User' | 'Group';
  readonly ns_name: string;
  readonly ns_path: string;
  readonly ns_full_path: string;
  readonly ns_parent_id: number | null;
  readonly avatar: string | null;
  readonly ns_avatar: string | null;
  readonly ns_owner_id: number | null;
}

/** The source of a fork, if the caller can see it. */
export type ForkSourceRow = Pick<
  ProjectSimpleRow,
  'id' | 'description' | 'name' | 'full_name' | 'path' | 'full_path'
>;

/** Columns of the full form; roles are those of the caller. */
export interface ProjectRow extends ProjectSimpleRow {
  readonly visibility: Visibility;
  readonly archived: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly creator_id: number | null;
  readonly repository_storage: string;
  readonly runners_token: string | null;
  readonly updated_at: Date;
  /** Only valid if the caller may read issues of the project. */
  readonly open_issues_count: number;
  readonly empty_repo: boolean;
  readonly marked_for_deletion_at: Date | null;
  readonly owner: UserBasicRow | null;
  readonly forked_from: ForkSourceRow | null;
  readonly shared_with_groups: GroupLinkRecord[];
  readonly role: Role;
  readonly project_access: number | null;
  readonly group_access: number | null;
  /** Only in lists and records that request it. */
  readonly statistics?: ProjectStatisticsRecord | null;
}

/** Tables of all project rows: the project, and its namespace for the record. */
export const PROJECT_FROM = 'projects p join namespaces n on n.id = p.namespace_id';

/**
 * Joins the caller as `me`: the id (null if anonymous), whether the caller is an administrator, and whether
 * internal projects are visible.
 */
export const ME = 'cross join (select ?::bigint as id, ?::boolean as admin, ?::boolean as internal) me';

/** Select list of the simple form, over `PROJECT_FROM`. */
export const SIMPLE_COLUMNS = `p.id, p.description, p.name, p.full_name, p.path, p.full_path, p.created_at, p.default_branch, p.topics,
  p.readme_path, p.star_count, p.last_activity_at, n.id as ns_id, n.type as ns_type, n.name as ns_name, n.path as ns_path,
  n.full_path as ns_full_path, n.parent_id as ns_parent_id, n.avatar as ns_avatar, n.owner_id as ns_owner_id, p.avatar,
  (select count(*)::int from (select 1 from projects k where k.forked_from_id = any(array[p.id]) and not k.pending_delete
    order by k.forked_from_id) forks) as forks_count`;

/**
 * SQL condition: the caller `me` can see a project or group; `role` is an expression for the caller's role in
 * it.
 */
export const visible = (alias: string, role: string): string =>
  `(me.admin or ${alias}.visibility = 'public' or (${alias}.visibility = 'internal' and me.internal) or ${role} > 0)`;

const SHARED_WITH = `(select coalesce(jsonb_agg(jsonb_build_object('group_id', g.id, 'group_name', g.name, 'group_full_path', g.full_path,
    'group_access_level', l.access_level, 'expires_at', l.expires_at) order by l.id), '[]')
  from group_links l join namespaces g on g.id = l.group_id
  where l.source_type = 'Project' and l.source_id = p.id and not g.pending_delete and ${live('l')}
    and ${visible('g', groupRoleSql('me.id', 'g'))})`;

const FORKED_FROM = `case when p.forked_from_id is not null then (
  select jsonb_build_object('id', f.id, 'description', f.description, 'name', f.name, 'full_name', f.full_name, 'path', f.path, 'full_path', f.full_path)
  from projects f join namespaces fn on fn.id = f.namespace_id
  where f.id = p.forked_from_id and not f.pending_delete and ${visible('f', projectRoleSql('me.id', 'f', 'fn'))}) end`;

const OWNER = `case when n.owner_id is not null then (
  select ${userJson('o')} from users o where o.id = n.owner_id) end`;

const PROJECT_ACCESS = `case when n.owner_id = me.id then ${Role.Owner} else (select m.access_level from members m
  where m.user_id = me.id and m.source_type = 'Project' and m.source_id = p.id and ${live('m')}) end`;

const GROUP_ACCESS = `(select max(m.access_level) from members m
  where m.user_id = me.id and m.source_type = 'Namespace' and m.source_id = any(n.traversal_ids) and ${live('m')}
    and m.access_level > ${Role.Minimal})`;

const ROLE = projectRoleSql('me.id', 'p', 'n');

const COUNTED_ISSUES = `coalesce((select c.open_count from internal_ids c where c.project_id = p.id and c.usage = 'issues'), 0)`;

/**
 * Open confidential issues of the project, excluding the caller's own and (`MET`) those assigned to the
 * caller.
 */
const SECRET = `s.project_id = p.id and s.confidential and s.state = 'opened'`;
const OF_OTHERS = 's.author_id is distinct from me.id';
const MET = `(select count(*) from issue_assignees sa join issues s on s.id = sa.issue_id
  where sa.user_id = me.id and sa.project_id = p.id and ${SECRET} and ${OF_OTHERS})`;

/**
 * Number of open issues that the caller may read; the caller's role is looked up only if there are
 * confidential issues.
 */
const OPEN_ISSUES = `(${COUNTED_ISSUES} - case
  when me.admin or (select 1 from issues s where ${SECRET} limit 1) is null or ${ROLE} >= ${Role.Reporter} then 0
  else (select count(*) from issues s where ${SECRET} and ${OF_OTHERS}) - ${MET} end)::int`;

/**
 * Select list of the full form, over `PROJECT_FROM` and `ME`: one statement reads everything that a record
 * shows.
 */
export const FULL_COLUMNS = `${SIMPLE_COLUMNS}, p.visibility, p.archived, p.settings, p.creator_id, p.repository_storage, p.runners_token,
  p.updated_at, ${OPEN_ISSUES} as open_issues_count, p.empty_repo, p.marked_for_deletion_at, ${OWNER} as owner, ${FORKED_FROM} as forked_from,
  ${SHARED_WITH} as shared_with_groups, ${PROJECT_ACCESS} as project_access, ${GROUP_ACCESS} as group_access,
  case when me.admin then ${Role.Admin} else ${ROLE} end as role`;

/** Select list of the sizes, over a row `st` of project_statistics that may be missing. */
export const STATISTICS_COLUMNS = `jsonb_build_object(${fieldsOf(ProjectStatisticsRecord)
  .map(({ name }) => `'${name}', coalesce(st.${name}, 0)`)
  .join(', ')}) as statistics`;

/** Joins `st`. */
export const STATISTICS = 'left join project_statistics st on st.project_id = p.id';
