import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import { SAME_PERSON, seesInternalSql } from '#core/users/person.sql.js';
import { userColumns, userJson } from '#core/users/records/user-basic.sql.js';
import type { UserBasicRow } from '#core/users/records/user-basic.record.js';
import { APPLIED_RULES, COUNTS, COUNTS_ANYWAY, GIVEN } from './approved.sql.js';

/** A user who has approved. */
export interface ApproverRow extends UserBasicRow {
  readonly approved_at: string;
  /** Whether the approval counts for the number that the project requires independently of rules. */
  readonly counts: boolean;
  /** Whether the merge request was merged with it, which ends the judgement of its approvals. */
  readonly is_settled: boolean;
}

/** An approval rule with its state for a merge request. */
export interface AppliedRuleRow {
  readonly id: number;
  readonly name: string;
  readonly rule_type: 'regular' | 'any_approver';
  readonly approvals_required: number;
  readonly given: number;
  /** Whether it has what it requires. */
  readonly is_met: boolean;
  readonly users: readonly UserBasicRow[];
  readonly approved_by: readonly UserBasicRow[];
  readonly is_own: boolean;
}

/**
 * SQL condition: `m` was merged. What its approvals were judged by then is not stored, and later changes of rules, roles
 * and accounts do not take them back.
 */
const IS_MERGED = `m.state in ('merged', 'locked')`;

const APPROVERS = `select ${userColumns('u')}, ${isoTimeSql('a.created_at')} as approved_at,
    ${COUNTS_ANYWAY} as counts, ${IS_MERGED} as is_settled
  from merge_requests m join merge_request_approvals a on a.merge_request_id = m.id join users u on u.id = a.user_id
  where m.id = $1 order by a.created_at, u.id`;

const USER = userJson('u');

/**
 * SQL from-item: the caller with the present rights; the arguments are expressions, `id` is null for
 * anonymous callers.
 */
export const meSql = (id: string, admin: string): string =>
  `(select ${id}::bigint as id, ${admin}::boolean as admin,
    coalesce((select ${seesInternalSql('i')} from users i where i.id = ${id}::bigint), false) as internal) me`;

/** SQL condition: the caller `me` can see the group `g`. */
export const SEEN = `(g.visibility = 'public' or me.admin or g.visibility = 'internal' and me.internal or ${groupRoleSql('me.id', 'g')} > 0)`;

/** Ids of the users of the rule `r`, including members of those of its groups that `me` can see. */
const RULE_USER_IDS = `select ru.user_id from approval_rule_users ru where ru.approval_rule_id = r.id
  union select rm.user_id from approval_rule_groups rg join namespaces g on g.id = rg.group_id and not g.pending_delete and ${SEEN}
    join members rm on rm.source_type = 'Namespace' and rm.source_id = g.id and (rm.expires_at is null or rm.expires_at > current_date)
    where rg.approval_rule_id = r.id`;

/** The users of the rule `r`, each looked up by id: with a subquery the planner may scan all users. */
export const RULE_USERS = `(select coalesce(jsonb_agg(${USER} order by u.id), '[]') from users u where u.id = any(array(${RULE_USER_IDS})))`;

/** SQL condition: `m` was merged with approvals. */
const IS_SETTLED = `(${IS_MERGED}
  and exists (select 1 from merge_request_approvals given where given.merge_request_id = m.id))`;

const RULES = `select r.id, r.name, r.rule_type, r.approvals_required, g.given, ${RULE_USERS} as users,
    (${IS_SETTLED} or g.given >= r.approvals_required) as is_met,
    r.merge_request_id is not null as is_own,
    (select coalesce(jsonb_agg(${USER} order by u.id), '[]') from merge_request_approvals a join users u on u.id = a.user_id
      where a.merge_request_id = m.id and ${COUNTS} and (r.rule_type = 'any_approver' or u.id = any(array(${RULE_USER_IDS})))) as approved_by
  from merge_requests m cross join lateral ${APPLIED_RULES} cross join lateral (select ${GIVEN} as given) g
  cross join ${meSql('$2', '$3')} where m.id = $1 order by r.id`;

/** Reads approvals and their rules. */
@Injectable()
export class ApprovalsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the approvers of a merge request, in order of approval. */
  approvers(id: number): Promise<ApproverRow[]> {
    return this.database.short<ApproverRow>(APPROVERS, [id]);
  }

  /** Lists the rules of a merge request as a user sees them. */
  rules(id: number, actor: Actor | null): Promise<AppliedRuleRow[]> {
    return this.database.short<AppliedRuleRow>(RULES, [id, actor?.id ?? null, actor?.admin === true]);
  }

  /** Returns whether both accounts belong to the same person. */
  async areOne(userId: number, other: number): Promise<boolean> {
    return (await this.database.one<{ same: boolean }>(SAME_PERSON, [userId, other]))?.same === true;
  }
}
