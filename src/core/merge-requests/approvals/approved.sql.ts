import { live } from '#kernel/database/time.sql.js';
import { Role } from '#kernel/access/roles.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { actsAsAdminSql, didAsAdminSql } from '#core/users/admin.sql.js';
import { isHumanSql, personSql } from '#core/users/person.sql.js';

/** SQL condition: the author `u` of the approval `a` of the merge request `m` could still give it now. */
export const STANDS = `(${isActiveSql('u')} and (${actsAsAdminSql(didAsAdminSql('a.as_admin', 'u'), 'u')}
  or exists (select 1 from projects ap join namespaces an on an.id = ap.namespace_id where ap.id = m.project_id
    and ${projectRoleSql('u.id', 'ap', 'an')} >= ${Role.Developer})))`;

/** SQL condition: the approver did not write the changes, or the project allows such approvals. */
const NOT_OWN = `(coalesce((select s.merge_requests_author_approval from project_approval_settings s where s.project_id = m.project_id), true)
  or ${personSql('u')} is distinct from (select ${personSql('ma')} from users ma where ma.id = m.author_id))`;

/**
 * SQL condition on an approval `a` of `u` and a rule `r`: it counts for the rule; that of a bot only if the
 * rule names the bot.
 */
export const COUNTS = `(${STANDS} and ${NOT_OWN} and (r.rule_type = 'any_approver' and ${isHumanSql('u')}
  or exists (select 1 from approval_rule_users ru where ru.approval_rule_id = r.id and ru.user_id = a.user_id)
  or ${isHumanSql('u')} and exists (select 1 from approval_rule_groups rg
    join namespaces rn on rn.id = rg.group_id and not rn.pending_delete
    join members rm on rm.source_type = 'Namespace' and rm.source_id = rg.group_id
      and ${live('rm')} where rg.approval_rule_id = r.id and rm.user_id = a.user_id)))`;

/**
 * SQL condition on an approval `a` of `u`: it counts for the number that the project requires independently
 * of rules.
 */
export const COUNTS_ANYWAY = `(${STANDS} and ${NOT_OWN} and ${isHumanSql('u')})`;

/** SQL from-item with condition: the approvals `a` of `m`, with their users. */
const APPROVALS = `merge_request_approvals a join users u on u.id = a.user_id where a.merge_request_id = m.id`;

/** SQL condition: the project of `m` lets merge requests have their own rules. */
const MAY_OVERRIDE = `coalesce((select not s.disable_overriding_approvers_per_merge_request from project_approval_settings s
  where s.project_id = m.project_id), true)`;

/**
 * Table `r`: the rules that apply to the merge request `m`; its own rules replace those of the project, also
 * earlier ones only while the project allows it. Both are read by the index of their owner, as in `ListQuery.of`.
 */
export const APPLIED_RULES = `((select * from approval_rules where merge_request_id = any(array[m.id]) and project_id = m.project_id
    and ${MAY_OVERRIDE} order by merge_request_id)
  union all (select * from approval_rules where project_id = any(array[m.project_id]) and coalesce(merge_request_id, 0) = 0
    and (select own.id from approval_rules own where own.merge_request_id = any(array[m.id]) and ${MAY_OVERRIDE}
      order by own.merge_request_id limit 1) is null order by project_id)) r`;

/**
 * SQL expression: number of persons whose approval of `m` counts for the rule `r`; a person with several
 * accounts counts once.
 */
export const GIVEN = `(select count(distinct ${personSql('u')})::int from ${APPROVALS} and ${COUNTS})`;

/** SQL expression: number of approvals that the project `p` requires independently of rules. */
export const NEEDED_ANYWAY = `coalesce((p.settings->>'approvals_before_merge')::int, 0)`;

const IS_FREE = `(select s.license_plan = 'free' from application_settings s where s.id = 1)`;

/** SQL condition: `m` in the project `p` has all approvals required to merge. Free plans require none. */
export const APPROVED_SQL = `(m.state <> 'opened' or ${IS_FREE} or (
  (${NEEDED_ANYWAY} = 0 or ${NEEDED_ANYWAY} <= (select count(*) from ${APPROVALS} and ${COUNTS_ANYWAY}))
  and not exists (select 1 from ${APPLIED_RULES} where r.approvals_required > ${GIVEN})))`;
