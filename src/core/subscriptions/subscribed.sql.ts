import { Role } from '#kernel/access/roles.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import type { SubscriptionTarget } from './subscription-target.js';

type TargetType = SubscriptionTarget['type'];

/** How people take part in a thing beside writing of it: its table, and tables that name users. */
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

/** Condition: a user reads internal notes on a thing, and is told of them: whoever asks, and how, is another matter. */
function readsInternalSql(type: Exclude<TargetType, 'Label'>, id: string, user: string): string {
  const isEpic = type === 'Epic';
  const place = isEpic
    ? 'join namespaces o on o.id = x.group_id'
    : 'join projects q on q.id = x.project_id join namespaces o on o.id = q.namespace_id';
  const role = isEpic ? groupRoleSql(user, 'o') : projectRoleSql(user, 'q', 'o');
  return `(exists (select 1 from users u where u.id = ${user} and ${isAdminSql('u')})
    or exists (select 1 from ${TAKES_PART[type].table} x ${place} where x.id = ${id} and ${role} >= ${Role.Reporter}))`;
}

/** Condition: a user takes part in a thing: its author, assigned to it, asked to review it, mentioned where they can read it, or has written a note. */
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
 * Scalar expression: whether a user hears of a thing: as they have said, else whether they take part in it. `id`, `user` and `project`
 * are expressions, of which the user's may be null; what was said of a label in a project counts before what was said in its group.
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
