import { namedUsers } from '#core/issuables/assignees.js';
import { namesOf } from '#core/issuables/fields/label-names-field.js';
import type {
  CommandTarget,
  CommandTargetType,
  CommandTargetChanges,
  CommandTargetState,
} from '../quick-action.js';

/** Parameters of a new object that quick actions can set too. */
export interface DraftParams {
  readonly title: string;
  readonly description?: string | null;
  readonly labels?: string[] | null;
  readonly assignee_ids?: number[] | null;
  readonly assignee_id?: number | null;
  readonly reviewer_ids?: number[] | null;
  readonly milestone_id?: number | null;
  readonly due_date?: string | null;
  readonly weight?: number | null;
  readonly confidential?: boolean;
}

/** Container of a new object. */
export interface DraftContainer {
  readonly type: CommandTargetType;
  readonly projectId: number | null;
  readonly groupId: number | null;
}

/**
 * An object being created: quick actions change its parameters, and its creation checks which of them its
 * author may set.
 */
export class DraftTarget<Params extends DraftParams> implements CommandTarget {
  readonly type: CommandTargetType;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly mayUpdate = true;
  readonly mayPlan = true;

  constructor(
    { type, projectId, groupId }: DraftContainer,
    public params: Params,
  ) {
    this.type = type;
    this.projectId = projectId;
    this.groupId = groupId;
  }

  now(): Promise<CommandTargetState> {
    const { params } = this;
    return Promise.resolve({
      title: params.title,
      state: 'opened',
      labels: namesOf(params.labels ?? []),
      assigneeIds: namedUsers(params.assignee_ids, params.assignee_id) ?? [],
      reviewerIds: namedUsers(params.reviewer_ids, undefined) ?? [],
      milestoneId: params.milestone_id ?? null,
      dueDate: params.due_date ?? null,
      weight: params.weight ?? null,
      isConfidential: params.confidential ?? false,
      isLocked: false,
    });
  }

  change({
    add_labels: added = [],
    remove_labels: removed = [],
    ...changes
  }: CommandTargetChanges): Promise<void> {
    const labels = new Set([...namesOf(this.params.labels ?? []), ...added]);
    for (const name of removed) labels.delete(name);
    const isLabeled = added.length + removed.length > 0;
    this.params = { ...this.params, ...changes, ...(isLabeled ? { labels: [...labels] } : {}) };
    return Promise.resolve();
  }
}
