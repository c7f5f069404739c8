import { descriptionNote, lockNote, titleNote, type ChangeNote } from '#core/issuables/change-notes.js';
import { keptDescription } from '#core/issuables/text.rules.js';
import { taskCounts } from '#core/notes/markdown/task-counts.js';
import { isDraftTitle } from './draft-title.js';
import type { MergeRequest } from '../merge-request.entity.js';
import type { UpdateMergeRequestParams } from '../merge-requests.params.js';

/** Columns to write, and the system notes about them. */
export interface ColumnChanges {
  readonly columns: Partial<MergeRequest>;
  readonly notes: readonly ChangeNote[];
}

/** Computes the column changes of the parameters; `mayPlan`: whether the caller may lock the discussion. */
export function columnChanges(
  mergeRequest: MergeRequest,
  params: UpdateMergeRequestParams,
  mayPlan: boolean,
): ColumnChanges {
  const columns: Partial<MergeRequest> = {};
  const notes: ChangeNote[] = [];
  const change = <Name extends keyof MergeRequest>(
    name: Name,
    value: MergeRequest[Name] | undefined,
    note?: ChangeNote,
  ): void => {
    if (value === undefined || value === mergeRequest[name]) return;
    columns[name] = value;
    if (note) notes.push(note);
  };
  const { title, description, discussion_locked: locked } = params;
  change('title', title, titleNote(mergeRequest.title, title ?? ''));
  if (title !== undefined) {
    const draft = isDraftTitle(title);
    change('draft', draft, {
      action: 'title',
      body: `marked this merge request as **${draft ? 'draft' : 'ready'}**`,
    });
  }
  change('description', keptDescription(description), descriptionNote);
  if (columns.description !== undefined) {
    const tasks = taskCounts(columns.description);
    Object.assign(columns, { taskCount: tasks.count, completedTaskCount: tasks.completed });
  }
  change('squash', params.squash);
  change('forceRemoveSourceBranch', params.remove_source_branch);
  if (mergeRequest.sourceProjectId !== mergeRequest.projectId)
    change('allowCollaboration', params.allow_collaboration ?? params.allow_maintainer_to_push);
  if (mayPlan) change('discussionLocked', locked, lockNote(locked === true, 'merge request'));
  return { columns, notes };
}
