import { askForRow, lockRow } from '#kernel/database/statements/rows.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { ActivityTarget } from '#core/activity/activity-happened.event.js';
import { Issue } from './issue.entity.js';

/** Returns an issue as the target of activity. */
export const issueTarget = ({ id, iid, title }: Pick<Issue, 'id' | 'iid' | 'title'>): ActivityTarget => ({
  type: 'Issue',
  id,
  iid,
  title,
});

/** Locks an issue until the transaction ends. @throws 404 if it no longer exists */
export async function lockIssue(tx: Tx, id: number): Promise<Issue> {
  const issue = await lockRow(tx, Issue, id);
  if (!issue) throw notFound('Issue');
  return issue;
}

const LOCK_NUMBERED = 'project_id = $1 and iid = $2 for no key update';

/** Locks an issue by its number in a project until the transaction ends. @throws 404 */
export async function lockNumberedIssue(tx: Tx, projectId: number, iid: number): Promise<Issue> {
  const issue = await (await askForRow(tx, Issue, LOCK_NUMBERED, [projectId, iid]))();
  if (!issue) throw notFound('Issue');
  return issue;
}
