import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import type { WrittenCommand } from './parsing/parse-commands.js';

/** What takes commands. */
export type CommandTargetType = 'Issue' | 'MergeRequest' | 'Epic';

/** How a thing is now, as commands see it. */
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

/** What commands change by the same service as requests do, under the names of its parameters. */
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

/** A thing that commands read and change: one that is there, or one that is about to be created. */
export interface CommandTarget {
  readonly type: CommandTargetType;
  /** Whose labels and milestones are meant. */
  readonly projectId: number | null;
  readonly groupId: number | null;
  /** May change its title and state. */
  readonly mayUpdate: boolean;
  /** May change its labels, people, milestone and the like. */
  readonly mayPlan: boolean;
  now(): Promise<CommandTargetState>;
  /** @throws HttpError where the service refuses it */
  change(changes: CommandTargetChanges): Promise<void>;
}

/** One text's commands at work. */
export interface CommandWork {
  readonly tx: Tx;
  readonly caller: UserCaller;
  readonly thing: CommandTarget;
}

/** What is done without a transaction around it. */
export interface LateWork {
  readonly caller: UserCaller;
  readonly noteable: Noteable;
  /** Head of the merge request as the caller knows it. */
  readonly headSha: string | null;
}

/** The same as `CommandWork`, on a thing that is there. */
export type NotedWork = CommandWork & LateWork;

/** What commands of a kind have changed, by the names of v4, and sentences about it. */
export interface CommandOutcome {
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly said: readonly string[];
}

interface ActionNames {
  /** What it changes, told apart from what others change. */
  readonly kind: string;
  readonly names: readonly string[];
}

/** Commands that set attributes: on what is there already, or on the way to its creation. All of one kind in a text come at once, in their order. */
export interface AttributeAction extends ActionNames {
  readonly when: 'attributes';
  apply(work: CommandWork, uses: readonly WrittenCommand[]): Promise<CommandOutcome>;
}

/** Commands that need a thing that is there; `last` after all others. */
export interface TargetAction extends ActionNames {
  readonly when: 'thing' | 'last';
  apply(work: NotedWork, uses: readonly WrittenCommand[]): Promise<CommandOutcome>;
}

/** Commands that cannot be part of a transaction: they are followed once that of the others has committed. */
export interface LateAction extends ActionNames {
  readonly when: 'afterwards';
  apply(work: LateWork, uses: readonly WrittenCommand[]): Promise<CommandOutcome>;
}

/** Commands of one kind. */
export type QuickAction = AttributeAction | TargetAction | LateAction;

/** A command that cannot be followed: what has been done for it is undone. `said` tells why, in a sentence. */
export class CommandRefused extends Error {
  constructor(readonly said: string) {
    super(said);
  }
}

/** The last of some uses: that which counts. */
export const lastOf = (uses: readonly WrittenCommand[]): WrittenCommand => {
  const last = uses.at(-1);
  if (!last) throw new Error('An action is called for its uses');
  return last;
};

const NAMES = { Issue: 'issue', MergeRequest: 'merge request', Epic: 'epic' } as const;

/** What people call a thing. */
export const nameOf = (type: CommandTargetType): string => NAMES[type];

/** A few words of what somebody has written, to be repeated to them. */
export const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

/** @throws CommandRefused */
export function assertMay(isAllowed: boolean, { name }: WrittenCommand): void {
  if (!isAllowed) throw new CommandRefused(`Could not apply /${name}: you are not allowed to do that.`);
}
