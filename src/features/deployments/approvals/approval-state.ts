import { isoTimeSql } from '#kernel/database/time.sql.js';
import { protectionsSql } from '#core/environments/protection/protection.sql.js';
import type { ApprovalRuleRow } from '#core/environments/protection/protected-environment.record.js';
import { personSql } from '#core/users/person.sql.js';
import { userPairs } from '#core/users/records/user-basic.sql.js';
import type { PrefixedUser } from '#core/users/records/user-basic.record.js';
import { COUNTING_SQL, HAS_BEGUN } from './counting.sql.js';
import type { ApprovalStatus } from './deployment-approval.entity.js';

/** Row of an approval. */
export interface ApprovalRow extends PrefixedUser<'u_', number> {
  readonly id: number;
  readonly rule_id: number | null;
  readonly status: ApprovalStatus;
  readonly comment: string | null;
  readonly created_at: string;
  /** Whether its author could still give it; null if not evaluated yet. */
  readonly counts: boolean | null;
  /** The person behind the author; for a bot, its creator. */
  readonly person: number;
}

/** Facts that decide whether a deployment may proceed. */
export interface ApprovalState {
  /** Whether the environment has any protection. */
  readonly protected: boolean;
  /** Required approvals without rules: the maximum of all protections. */
  readonly required: number;
  readonly rules: readonly ApprovalRuleRow[];
  readonly approvals: readonly ApprovalRow[];
}

/**
 * Tables of an approval `a`: its user `u`, the project `p` and namespace `n` of the deployment `d`, and the
 * rule `r` if it is among the protections.
 */
const approvalTables = (
  protections: string,
): string => `deployment_approvals a join users u on u.id = a.user_id
        join projects p on p.id = d.project_id join namespaces n on n.id = p.namespace_id
        left join protected_environment_approval_rules r on r.id = a.rule_id and r.protected_environment_id = any(${protections})
        left join protected_environments pe on pe.id = r.protected_environment_id`;

const HELD = protectionsSql('d.project_id', 'e.name', 'e.tier');

const stateSql = (counts: string): string => `(select json_build_object(
    'protected', held.ids <> '{}',
    'required', held.required,
    'rules', coalesce((select json_agg(json_build_object('id', r.id, 'access_level', r.access_level, 'user_id', r.user_id,
        'group_id', r.group_id, 'group_inheritance_type', r.group_inheritance_type, 'required_approvals', r.required_approvals,
        'title', coalesce(ru.name, rg.name)) order by r.id)
      from protected_environment_approval_rules r left join users ru on ru.id = r.user_id left join namespaces rg on rg.id = r.group_id
      where r.protected_environment_id = any(held.ids)), '[]'),
    'approvals', coalesce((select json_agg(json_build_object('id', a.id, 'rule_id', a.rule_id, 'status', a.status,
        'comment', a.comment, 'created_at', ${isoTimeSql('a.created_at')}, ${userPairs('u', 'u_')},
        'counts', ${counts}, 'person', ${personSql('u')}) order by a.id)
      from ${approvalTables('held.ids')}
      where a.deployment_id = d.id), '[]'))
  from (select coalesce(array_agg(pe.id), '{}') as ids, coalesce(max(pe.required_approval_count), 0) as required
    from ${HELD} pe) held)`;

/** SQL expression: the `ApprovalState` of the deployment `d` to the environment `e`, as JSON. */
export const APPROVAL_STATE_SQL = stateSql(COUNTING_SQL);

/**
 * The same, with approvals evaluated only for deployments that have begun. The full condition has so many
 * branches that PostgreSQL takes longer to prepare it than to read a page of deployments, even if no branch
 * is entered.
 */
export const OPEN_STATE_SQL = stateSql(`case when ${HAS_BEGUN} then true end`);

/** Statement for the approvals of the deployments `$1` that count. */
export const COUNTING_APPROVALS = `select a.id from deployments d join environments e on e.id = d.environment_id,
  lateral (select coalesce(array_agg(pe.id), '{}') as ids from ${HELD} pe) held,
  lateral (select a.id from ${approvalTables('held.ids')} where a.deployment_id = d.id and ${COUNTING_SQL}) a
  where d.id = any($1::bigint[])`;

/** Returns whether all approvals of the state have been evaluated. */
export const isSettled = (state: ApprovalState | null | undefined): boolean =>
  !state || state.approvals.every(({ counts }) => counts !== null);

/** Returns the state with approvals evaluated: those in `counting` count. */
export const settle = (state: ApprovalState, counting: ReadonlySet<number>): ApprovalState => ({
  ...state,
  approvals: state.approvals.map((one) => ({ ...one, counts: one.counts ?? counting.has(one.id) })),
});

/** Returns the approvals by a rule. */
export const approvalsOf = (state: ApprovalState, ruleId: number): readonly ApprovalRow[] =>
  state.approvals.filter(({ rule_id: id }) => id === ruleId);

/** Counts the persons who have approved: each once, including their bots. */
const approved = (approvals: readonly ApprovalRow[]): number =>
  new Set(
    approvals.filter(({ status, counts }) => status === 'approved' && counts).map(({ person }) => person),
  ).size;

/** Returns whether any approval is required. */
export const needsApproval = ({ required, rules }: ApprovalState): boolean =>
  rules.length > 0 || required > 0;

/** Counts the missing approvals: per rule, or in total without rules. */
export function missingApprovals(state: ApprovalState): number {
  const { required, rules, approvals } = state;
  if (rules.length === 0) return Math.max(0, required - approved(approvals));
  return rules
    .map((rule) => Math.max(0, rule.required_approvals - approved(approvalsOf(state, rule.id))))
    .reduce((sum, missing) => sum + missing, 0);
}
