/** Condition on a rule `r` and an approval `a`: it counts for the rule. */
export const COUNTS = `(r.rule_type = 'any_approver'
  or exists (select 1 from approval_rule_users ru where ru.approval_rule_id = r.id and ru.user_id = a.user_id)
  or exists (select 1 from approval_rule_groups rg join members rm on rm.source_type = 'Namespace' and rm.source_id = rg.group_id
    and (rm.expires_at is null or rm.expires_at > current_date) where rg.approval_rule_id = r.id and rm.user_id = a.user_id))`;

/** Condition on a rule `r`: it is one of those for the merge request `m`; its own rules stand in for those of the project. */
export const APPLIES = `(r.project_id = m.project_id and (r.merge_request_id = m.id or (r.merge_request_id is null
  and not exists (select 1 from approval_rules own where own.merge_request_id = m.id))))`;

/** Scalar expression: how many have approved `m` in a way that counts for the rule `r`. */
export const GIVEN = `(select count(*)::int from merge_request_approvals a where a.merge_request_id = m.id and ${COUNTS})`;

/** Scalar expression: how many approvals the project `p` asks for whatever its rules are. */
export const NEEDED_ANYWAY = `coalesce((p.settings->>'approvals_before_merge')::int, 0)`;

const IS_FREE = `(select s.license_plan = 'free' from application_settings s where s.id = 1)`;

/** Condition: no approval of `m` in the project `p` is missing without which nobody may merge it. Free plans know no such. */
export const APPROVED_SQL = `(m.state <> 'opened' or ${IS_FREE} or (
  (${NEEDED_ANYWAY} = 0 or ${NEEDED_ANYWAY} <= (select count(*) from merge_request_approvals a where a.merge_request_id = m.id))
  and not exists (select 1 from approval_rules r where ${APPLIES} and r.approvals_required > ${GIVEN})))`;
