import { Role } from '#kernel/access/roles.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import type { SubscriptionTarget } from './subscription-target.js';

type TargetType = SubscriptionTarget['type'];

/** Participation in a noteable besides writing notes: its table, and tables with users. */
const TAKES_PART: Readonly<
  Record<Exclude<TargetType, 'Label'>, { table: string; key: string; people: readonly string[] }>
> = {
  Issue: { table: 'issues', key: 'issue_id', people: ['issue_assignees'] },
  MergeRequest: {
    table: 'merge_requests',
    key: 'merge_request_id',
    people: ['merge_request_assignees', 'merge_request_reviewers'],
  },
  Epic: { table: 'epics', key: 'epic_id', people: [] },
};

/** SQL condition: a user may read internal notes of a noteable and be notified of them, regardless of how. */
function readsInternalSql(type: Exclude<TargetType, 'Label'>, id: string, user: string): string {
  const isEpic = type === 'Epic';
  const joined = isEpic
    ? 'join namespaces o on o.id = x.group_id'
    : 'join projects q on q.id = x.project_id join namespaces o on o.id = q.namespace_id';
  const role = isEpic ? groupRoleSql(user, 'o') : projectRoleSql(user, 'q', 'o');
  return `(exists (select 1 from users u where u.id = ${user} and ${isAdminSql('u')})
    or exists (select 1 from ${TAKES_PART[type].table} x ${joined} where x.id = ${id} and ${role} >= ${Role.Reporter}))`;
}

/**
 * SQL condition: a user participates in a noteable: as author, assignee, reviewer, mentioned user who can
 * read it, or author of a note.
 */
export function takesPartSql(type: Exclude<TargetType, 'Label'>, id: string, user: string): string {
  const { table, key, people } = TAKES_PART[type];
  const conditions = [
    `exists (select 1 from ${table} t where t.id = ${id} and t.author_id = ${user})`,
    ...people.map(
      (name) => `exists (select 1 from ${name} t where t.${key} = ${id} and t.user_id = ${user})`,
    ),
    `exists (select 1 from notes t where t.noteable_type = '${type}' and t.noteable_id = ${id} and t.author_id = ${user} and not t.system)`,
    `exists (select 1 from mentions t where t.target_type = '${type}' and t.target_id = ${id} and t.user_id = ${user}
      and (not exists (select 1 from notes n where n.id = t.note_id and n.internal) or ${readsInternalSql(type, id, user)}))`,
  ];
  return `(${conditions.join(' or ')})`;
}

/**
 * SQL expression: whether a user is subscribed: by explicit choice, else by participation. `id`, `user` and
 * `project` are expressions, of which the user may be null; a choice about a label in a project overrides the
 * one in its group.
 */
export function subscribedSql(
  type: TargetType,
  id: string,
  user: string,
  project: string = 'null::bigint',
): string {
  const said = `(select s.subscribed from subscriptions s
    where s.target_type = '${type}' and s.target_id = ${id} and s.user_id = ${user}
      and (s.project_id is null or s.project_id = ${project}) order by s.project_id nulls last limit 1)`;
  return `coalesce(${said}, ${type === 'Label' ? 'false' : takesPartSql(type, id, user)})`;
}
