import { PLANNING_ISSUE, PLANNING_RECORDS } from '../planning-floor.js';
import type { Caller } from './access.js';
import { statement } from './database.js';
import type { Sent } from './http.js';

/** A row of an issue with what its record shows. */
export type IssueRow = Readonly<Record<string, unknown>> & { readonly id: number; readonly iid: number; readonly state: string; readonly author_id: number };

/** The issue of a number with all that its record shows, locked. */
export const LOCKED_ISSUE = statement<IssueRow>('locked issue', `${PLANNING_ISSUE} for update of x`);

/** The record of an issue. */
export const issueRecord = (row: Readonly<Record<string, unknown>>): unknown => PLANNING_RECORDS['issues']?.({ ...row });

/** Values of an issue that has just been created, as in its row. */
export function newIssueRow(
  made: { readonly id: number; readonly iid: number; readonly created_at: Date; readonly updated_at: Date },
  caller: Caller,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    ...{ state: 'opened', issue_type: 'issue', severity: 'unknown', confidential: false, user_notes_count: 0, upvotes: 0, downvotes: 0, discussion_locked: null },
    ...{ time_estimate: 0, total_time_spent: 0, task_count: 0, completed_task_count: 0, due_date: null, closed_at: null, moved_to_id: null, weight: null },
    ...{ health_status: null, epic: null, closing: 0, c_id: null, m_id: null, project_id: caller.project_id, full_path: caller.full_path },
    ...{ user_id: caller.id, username: caller.username, name: caller.name, user_state: caller.state },
    ...given,
    ...made,
  };
}

/** The number of an issue in a path. */
export const iidOf = ({ path }: Sent): number => Number(path.split('/')[6]);
