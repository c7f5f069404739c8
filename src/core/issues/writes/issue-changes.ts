import { Tier } from '#kernel/access/roles.js';
import type { ChangeNote } from '#core/issuables/change-notes.js';
import { descriptionNote, lockNote, titleNote } from '#core/issuables/change-notes.js';
import { keptDescription } from '#core/issuables/text.rules.js';
import { taskCounts } from '#core/notes/markdown/task-counts.js';
import type { IssueRights } from '../issue.finder.js';
import type { Issue } from '../issue.entity.js';
import type { UpdateIssueParams } from '../issues.params.js';

/** Change of an issue: the parameters of requests, and values that only quick actions set. */
export interface IssueChange extends UpdateIssueParams {
  readonly severity?: string;
}

/** Columns to write, and the system notes about them. */
export interface ColumnChanges {
  readonly columns: Partial<Issue>;
  readonly notes: readonly ChangeNote[];
}

/** Computes the column changes of the parameters; ignores parameters that the caller may not change. */
export function columnChanges(
  issue: Issue,
  params: IssueChange,
  rights: IssueRights,
  tier: Tier,
): ColumnChanges {
  const columns: Partial<Issue> = {};
  const notes: ChangeNote[] = [];
  const change = <Name extends keyof Issue>(
    name: Name,
    value: Issue[Name] | undefined,
    note: () => ChangeNote | null,
  ): void => {
    if (value === undefined || value === issue[name]) return;
    columns[name] = value;
    const said = note();
    if (said) notes.push(said);
  };
  const { title, description } = params;
  change('title', title, () => titleNote(issue.title, title ?? ''));
  change('description', keptDescription(description), () => descriptionNote);
  if (columns.description !== undefined) {
    const tasks = taskCounts(columns.description);
    Object.assign(columns, { taskCount: tasks.count, completedTaskCount: tasks.completed });
  }
  if (rights.plan) changePlan(change, params, tier);
  return { columns, notes };
}

function changePlan(
  change: <Name extends keyof Issue>(
    name: Name,
    value: Issue[Name] | undefined,
    note: () => ChangeNote | null,
  ) => void,
  params: IssueChange,
  tier: Tier,
): void {
  const { due_date: due, confidential, discussion_locked: locked, issue_type: type, weight } = params;
  change('dueDate', due, () => valueNote('due_date', 'due date', due));
  change('confidential', confidential, () => ({
    action: confidential ? 'confidential' : 'visible',
    body: confidential ? 'made the issue confidential' : 'made the issue visible to everyone',
  }));
  change('discussionLocked', locked, () => lockNote(locked === true, 'issue'));
  change('issueType', type, () => ({ action: 'issue_type', body: `changed type to ${type ?? ''}` }));
  const { severity } = params;
  change('severity', severity, () => ({
    action: 'severity',
    body: `set the severity to **${severity ?? ''}**`,
  }));
  if (tier < Tier.Premium) return;
  change('weight', weight, () => valueNote('weight', 'weight', weight));
  change('healthStatus', params.health_status, () =>
    valueNote('health_status', 'health status', params.health_status?.replaceAll('_', ' ')),
  );
}

const valueNote = (action: string, name: string, value: string | number | null | undefined): ChangeNote => ({
  action,
  body: value === null || value === undefined ? `removed the ${name}` : `changed ${name} to **${value}**`,
});
