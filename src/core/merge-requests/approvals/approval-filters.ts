import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { wordOf, type AnyOrNone } from '#core/issuables/lists/any-or-none.js';
import { NAMED_USER } from '#core/issuables/lists/people-filters.js';
import { whereAll } from '#core/issuables/lists/where-all.js';
import type { MergeRequestFilters } from '../lists/list-merge-requests.params.js';
import { APPLIED_RULES } from './approved.sql.js';

/** SQL condition on the merge request `m`, without its closing parenthesis: it has an approval `fp`. */
export const APPROVED = 'exists (select 1 from merge_request_approvals fp where fp.merge_request_id = m.id';

const APPROVER = `exists (select 1 from ${APPLIED_RULES} join approval_rule_users ru on ru.approval_rule_id = r.id where true`;

/** SQL that starts from the approvals of a user, in all projects. */
const approvedBy = (who: string): string =>
  `m.id = any(array(select fp.merge_request_id from merge_request_approvals fp where fp.user_id = ${who}))`;

/** SQL that starts from the projects with rules that name a user. */
const NEAR_APPROVER = `m.project_id = any(array(select r.project_id from approval_rule_users ru
  join approval_rules r on r.id = ru.approval_rule_id where ru.user_id = ?))`;

/** Returns whether this is a user name, as opposed to the words for any or none. */
const isName = (name: string): boolean => wordOf(name, ['any', 'none']) === null;

const isId = (id: number | AnyOrNone): id is number => typeof id === 'number';

/** Returns whether a filter names an approver. */
export const isOfApprovers = ({
  approved_by_ids: ids = [],
  approved_by_usernames: names = [],
}: MergeRequestFilters): boolean => ids.some(isId) || names.some(isName);

/**
 * Adds the premium filters: by approvals given, and by approvers in rules. If several users are named, the
 * query starts from the first.
 */
export function filterByApprovals(query: ListQuery<object>, params: MergeRequestFilters): void {
  const { approved_by_ids: ids = [], approved_by_usernames: names = [] } = params;
  const words = [...ids, ...names.map((name) => wordOf(name, ['any', 'none']))];
  if (words.includes('any')) query.where(`${APPROVED})`);
  if (words.includes('none')) query.where(`not ${APPROVED})`);
  const [id, ...otherIds] = ids.filter(isId);
  if (id !== undefined) query.where(approvedBy('?'), id);
  whereAll(query, `${APPROVED} and fp.user_id = ?)`, 'bigint', otherIds);
  const [name, ...otherNames] = names.filter(isName);
  if (name !== undefined) query.where(approvedBy(NAMED_USER), name);
  whereAll(query, `${APPROVED} and fp.user_id = ${NAMED_USER})`, 'text', otherNames);
  filterByApprovers(query, params.approver_ids ?? []);
}

/** Filters by the users in approval rules. */
function filterByApprovers(query: ListQuery<object>, wanted: readonly (number | AnyOrNone)[]): void {
  if (wanted.includes('any')) query.where(`${APPROVER})`);
  if (wanted.includes('none')) query.where(`not ${APPROVER})`);
  const ids = wanted.filter(isId);
  if (ids[0] !== undefined) query.where(NEAR_APPROVER, ids[0]);
  whereAll(query, `${APPROVER} and ru.user_id = ?)`, 'bigint', ids);
}
