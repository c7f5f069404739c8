import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import type { WrittenCommand } from './parsing/parse-commands.js';

/** Types of objects that support quick actions. */
export type CommandTargetType = 'Issue' | 'MergeRequest' | 'Epic';

/** Present state of the object. */
export interface CommandTargetState {
  readonly title: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly assigneeIds: readonly number[];
  readonly reviewerIds: readonly number[];
  readonly milestoneId: number | null;
  readonly dueDate: string | null;
  readonly weight: number | null;
  readonly isConfidential: boolean;
  readonly isLocked: boolean;
}

/** Changes that quick actions make by the same service as requests, under the names of its parameters. */
export interface CommandTargetChanges {
  title?: string;
  state_event?: 'close' | 'reopen';
  labels?: string[];
  add_labels?: string[];
  remove_labels?: string[];
  assignee_ids?: number[];
  reviewer_ids?: number[];
  milestone_id?: number | null;
  due_date?: string | null;
  weight?: number | null;
  confidential?: boolean;
  discussion_locked?: boolean;
  target_branch?: string;
  severity?: string;
  epic_id?: number | null;
}

/** The object that quick actions read and change: an existing one, or one being created. */
export interface CommandTarget {
  readonly type: CommandTargetType;
  /** Project whose labels and milestones apply. */
  readonly projectId: number | null;
  readonly groupId: number | null;
  /** Whether the caller may change title and state. */
  readonly mayUpdate: boolean;
  /** Whether the caller may change labels, users, milestone and similar attributes. */
  readonly mayPlan: boolean;
  now(): Promise<CommandTargetState>;
  /** Applies changes. @throws HttpError if the service rejects them */
  change(changes: CommandTargetChanges): Promise<void>;
}

/** Context of the quick actions of one text. */
export interface CommandWork {
  readonly tx: Tx;
  readonly caller: UserCaller;
  readonly target: CommandTarget;
}

/** Context of actions that run outside of a transaction. */
export interface LateWork {
  readonly caller: UserCaller;
  readonly noteable: Noteable;
  /** Head of the merge request that the caller has seen. */
  readonly headSha: string | null;
}

/** `CommandWork` on an existing object. */
export type NotedWork = CommandWork & LateWork;

/** Result of the actions of a kind: changed attributes by their v4 names, and sentences. */
export interface CommandOutcome {
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly said: readonly string[];
}

interface ActionNames {
  /** Identifies what it changes; all actions of a kind run together. */
  readonly kind: string;
  readonly names: readonly string[];
}

/**
 * Quick actions that set attributes of an existing object or one being created. All of one kind in a text run
 * together, in order.
 */
export interface AttributeAction extends ActionNames {
  readonly when: 'attributes';
  apply(work: CommandWork, uses: readonly WrittenCommand[]): Promise<CommandOutcome>;
}

/** Quick actions that need an existing object; `last` ones run after all others. */
export interface TargetAction extends ActionNames {
  readonly when: 'target' | 'last';
  apply(work: NotedWork, uses: readonly WrittenCommand[]): Promise<CommandOutcome>;
}

/** Quick actions that cannot run in a transaction: they run after the commit of the others. */
export interface LateAction extends ActionNames {
  readonly when: 'afterwards';
  apply(work: LateWork, uses: readonly WrittenCommand[]): Promise<CommandOutcome>;
}

/** A kind of quick actions. */
export type QuickAction = AttributeAction | TargetAction | LateAction;

/** Thrown if an action is not possible: its changes are rolled back. `said` is a sentence with the reason. */
export class CommandRefused extends Error {
  constructor(readonly said: string) {
    super(said);
  }
}

/** Returns the last use, which is the effective one. */
export const lastOf = (uses: readonly WrittenCommand[]): WrittenCommand => {
  const last = uses.at(-1);
  if (!last) throw new Error('An action must have uses');
  return last;
};

const NAMES = { Issue: 'issue', MergeRequest: 'merge request', Epic: 'epic' } as const;

/** Returns the name of a type for users. */
export const nameOf = (type: CommandTargetType): string => NAMES[type];

/** Shortens user text for repeating it in a message. */
export const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

/** Asserts the right to use an action. @throws CommandRefused */
export function assertMay(isAllowed: boolean, { name }: WrittenCommand): void {
  if (!isAllowed) throw new CommandRefused(`Could not apply /${name}: you are not allowed to do that.`);
}
