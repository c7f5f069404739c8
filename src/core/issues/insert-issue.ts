import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { nextIidSql } from '#core/iids/internal-ids.service.js';
import type { Issue } from './issue.entity.js';

/** Columns of a new issue; the others start empty. */
export type NewIssue = Pick<
  Issue,
  | 'projectId'
  | 'authorId'
  | 'title'
  | 'description'
  | 'taskCount'
  | 'completedTaskCount'
  | 'confidential'
  | 'issueType'
  | 'discussionLocked'
  | 'milestoneId'
  | 'dueDate'
  | 'weight'
  | 'healthStatus'
> & {
  /** Null for the present time. */
  readonly createdAt: Date | null;
};

const insertSql = (number: string): string => `with number as (${number})
  insert into issues (project_id, iid, author_id, title, description, task_count, completed_task_count, confidential, issue_type,
    discussion_locked, milestone_id, due_date, weight, health_status, created_at, updated_at)
  select $1::bigint, number.last_value, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, coalesce($14::timestamptz, ${STATEMENT_TIME}), ${STATEMENT_TIME}
  from number returning id, iid`;

/** Takes the next number in the same statement; the counter of the project stays locked until the commit. */
const WITH_NEXT = insertSql(nextIidSql('$1::bigint', `'issues'`));
const WITH_GIVEN = insertSql('select $15::bigint as last_value');

/** Inserts an issue with the next number of its project, or with a number already taken for it. */
export async function insertIssue(
  tx: Tx,
  issue: NewIssue,
  taken: number | null,
): Promise<{ id: number; iid: number }> {
  const values = [
    issue.projectId,
    issue.authorId,
    issue.title,
    issue.description,
    issue.taskCount,
    issue.completedTaskCount,
    issue.confidential,
    issue.issueType,
    issue.discussionLocked,
    issue.milestoneId,
    issue.dueDate,
    issue.weight,
    issue.healthStatus,
    issue.createdAt,
  ];
  const [row] = await (taken === null
    ? tx.query<{ id: number; iid: number }[]>(WITH_NEXT, values)
    : tx.query<{ id: number; iid: number }[]>(WITH_GIVEN, [...values, taken]));
  if (!row) throw new Error('A new issue has an id');
  return row;
}
