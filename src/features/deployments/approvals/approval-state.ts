import { isoTimeSql } from '#kernel/database/time.sql.js';
import { protectionsSql } from '#core/environments/protection/protection.sql.js';
import type { ApprovalRuleRow } from '#core/environments/protection/protected-environment.record.js';
import { personSql } from '#core/users/person.sql.js';
import { userPairs } from '#core/users/records/user-basic.sql.js';
import type { PrefixedUser } from '#core/users/records/user-basic.record.js';
import { COUNTING_SQL } from './counting.sql.js';
import type { ApprovalStatus } from './deployment-approval.entity.js';

/** An approval, as the database knows it. */
export interface ApprovalRow extends PrefixedUser<'u_', number> {
  readonly id: number;
  readonly rule_id: number | null;
  readonly status: ApprovalStatus;
  readonly comment: string | null;
  readonly created_at: string;
  /** Whether its author may still give it. */
  readonly counts: boolean;
  /** Whose it is: a bot's is of whoever made the bot. */
  readonly person: number;
}

/** Everything that decides whether a deployment may go on. */
export interface ApprovalState {
  /** Whether any protection holds for the environment. */
  readonly protected: boolean;
  /** Approvals that are needed where there are no rules: the most that any protection wants. */
  readonly required: number;
  readonly rules: readonly ApprovalRuleRow[];
  readonly approvals: readonly ApprovalRow[];
}

/** Scalar expression: the `ApprovalState` of the deployment `d` to the environment `e`, as JSON. */
export const APPROVAL_STATE_SQL = `(select json_build_object(
    'protected', held.ids <> '{}',
    'required', held.required,
    'rules', coalesce((select json_agg(json_build_object('id', r.id, 'access_level', r.access_level, 'user_id', r.user_id,
        'group_id', r.group_id, 'group_inheritance_type', r.group_inheritance_type, 'required_approvals', r.required_approvals,
        'title', coalesce(ru.name, rg.name)) order by r.id)
      from protected_environment_approval_rules r left join users ru on ru.id = r.user_id left join namespaces rg on rg.id = r.group_id
      where r.protected_environment_id = any(held.ids)), '[]'),
    'approvals', coalesce((select json_agg(json_build_object('id', a.id, 'rule_id', a.rule_id, 'status', a.status,
        'comment', a.comment, 'created_at', ${isoTimeSql('a.created_at')}, ${userPairs('u', 'u_')},
        'counts', ${COUNTING_SQL}, 'person', ${personSql('u')}) order by a.id)
      from deployment_approvals a join users u on u.id = a.user_id
        join projects p on p.id = d.project_id join namespaces n on n.id = p.namespace_id
        left join protected_environment_approval_rules r on r.id = a.rule_id and r.protected_environment_id = any(held.ids)
        left join protected_environments pe on pe.id = r.protected_environment_id
      where a.deployment_id = d.id), '[]'))
  from (select coalesce(array_agg(pe.id), '{}') as ids, coalesce(max(pe.required_approval_count), 0) as required
    from ${protectionsSql('d.project_id', 'e.name', 'e.tier')} pe) held)`;

/** What was said by a rule. */
export const approvalsOf = (state: ApprovalState, ruleId: number): readonly ApprovalRow[] =>
  state.approvals.filter(({ rule_id: id }) => id === ruleId);

/** How many people have approved: each counts once, whatever bots they have. */
const approved = (approvals: readonly ApprovalRow[]): number =>
  new Set(
    approvals.filter(({ status, counts }) => status === 'approved' && counts).map(({ person }) => person),
  ).size;

/** Whether anybody has to approve at all. */
export const needsApproval = ({ required, rules }: ApprovalState): boolean =>
  rules.length > 0 || required > 0;

/** How many approvals are missing: of each rule, or together where there are none. */
export function missingApprovals(state: ApprovalState): number {
  const { required, rules, approvals } = state;
  if (rules.length === 0) return Math.max(0, required - approved(approvals));
  return rules
    .map((rule) => Math.max(0, rule.required_approvals - approved(approvalsOf(state, rule.id))))
    .reduce((sum, missing) => sum + missing, 0);
}
