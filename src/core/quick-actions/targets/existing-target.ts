import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import type {
  CommandTarget,
  CommandTargetType,
  CommandTargetChanges,
  CommandTargetState,
} from '../quick-action.js';

const people = (table: string, key: string, id: string): string =>
  `array(select pk.user_id from ${table} pk where pk.${key} = ${id} order by pk.user_id)`;

const labels = (table: string, key: string, id: string): string =>
  `array(select l.title from ${table} ll join labels l on l.id = ll.label_id where ll.${key} = ${id} order by l.title collate "C")`;

const NOW: Readonly<Record<CommandTargetType, string>> = {
  Issue: `select i.title, i.state, ${labels('issue_labels', 'issue_id', 'i.id')} as labels,
      ${people('issue_assignees', 'issue_id', 'i.id')} as "assigneeIds", '{}'::bigint[] as "reviewerIds", i.milestone_id as "milestoneId",
      i.due_date::text as "dueDate", i.weight, i.confidential as "isConfidential", coalesce(i.discussion_locked, false) as "isLocked"
    from issues i where i.id = $1`,
  MergeRequest: `select m.title, m.state, ${labels('merge_request_labels', 'merge_request_id', 'm.id')} as labels,
      ${people('merge_request_assignees', 'merge_request_id', 'm.id')} as "assigneeIds",
      ${people('merge_request_reviewers', 'merge_request_id', 'm.id')} as "reviewerIds", m.milestone_id as "milestoneId",
      null as "dueDate", null as weight, false as "isConfidential", coalesce(m.discussion_locked, false) as "isLocked"
    from merge_requests m where m.id = $1`,
  Epic: `select e.title, e.state, ${labels('epic_labels', 'epic_id', 'e.id')} as labels, '{}'::bigint[] as "assigneeIds",
      '{}'::bigint[] as "reviewerIds", null as "milestoneId", null as "dueDate", null as weight, e.confidential as "isConfidential",
      false as "isLocked" from epics e where e.id = $1`,
};

/** The caller's rights on an object. */
export interface CommandTargetRights {
  readonly mayUpdate: boolean;
  readonly mayPlan: boolean;
}

/** An existing object, locked by the transaction of its quick actions; changed by its own service. */
export class ExistingTarget implements CommandTarget {
  readonly type: CommandTargetType;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly mayUpdate: boolean;
  readonly mayPlan: boolean;

  constructor(
    private readonly tx: Tx,
    private readonly noteable: Noteable,
    { mayUpdate, mayPlan }: CommandTargetRights,
    readonly change: (changes: CommandTargetChanges) => Promise<void>,
  ) {
    this.type = noteable.type as CommandTargetType;
    this.projectId = noteable.projectId;
    this.groupId = noteable.groupId;
    this.mayUpdate = mayUpdate;
    this.mayPlan = mayPlan;
  }

  now(): Promise<CommandTargetState> {
    return commandTargetState(this.tx, this.type, this.noteable.id as number);
  }
}

/** Reads the present state. @throws 404 if it no longer exists */
export async function commandTargetState(
  tx: Tx,
  type: CommandTargetType,
  id: number,
): Promise<CommandTargetState> {
  const [row] = await tx.query<CommandTargetState[]>(NOW[type], [id]);
  if (!row) throw notFound(type);
  return row;
}
