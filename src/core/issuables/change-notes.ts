import type { Tx } from '#kernel/database/transactions.js';
import type { PeopleChange } from './assignees.js';
import type { LabelChange } from './label-links.js';

/** A system note to write: an action for programs and a text for users. */
export interface ChangeNote {
  readonly action: string;
  readonly body: string;
}

/** Backslashes keep a title from ending the emphasis around it. */
const quoted = (title: string): string => `**${title.replace(/[\\*]/g, '\\$&')}**`;

const labelName = (title: string): string => (/^[\w-]+$/.test(title) ? `~${title}` : `~"${title}"`);

/** Describes a change of the title. */
export const titleNote = (from: string, to: string): ChangeNote => ({
  action: 'title',
  body: `changed title from ${quoted(from)} to ${quoted(to)}`,
});

/** Describes a change of the description. */
export const descriptionNote: ChangeNote = { action: 'description', body: 'changed the description' };

/** Describes added and removed labels; null if there are none. */
export function labelNote({ added, removed }: LabelChange): ChangeNote | null {
  const parts = [
    ...(added.length > 0 ? [`added ${added.map(labelName).join(' ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.map(labelName).join(' ')}`] : []),
  ];
  if (parts.length === 0) return null;
  const count = added.length + removed.length;
  return { action: 'label', body: `${parts.join(' and ')} ${count === 1 ? 'label' : 'labels'}` };
}

/** Describes users assigned and unassigned; `words`: the verbs for reviewers. */
export async function peopleNote(
  tx: Tx,
  { added, removed }: PeopleChange,
  words = { action: 'assignee', added: 'assigned to', removed: 'unassigned' },
): Promise<ChangeNote | null> {
  if (added.length + removed.length === 0) return null;
  const users = await tx.query<{ id: number; username: string }[]>(
    'select id, username from users where id = any($1::bigint[]) order by username',
    [[...added, ...removed]],
  );
  const named = (ids: readonly number[]): string =>
    users
      .filter(({ id }) => ids.includes(id))
      .map(({ username }) => `@${username}`)
      .join(', ');
  const parts = [
    ...(added.length > 0 ? [`${words.added} ${named(added)}`] : []),
    ...(removed.length > 0 ? [`${words.removed} ${named(removed)}`] : []),
  ];
  return { action: words.action, body: parts.join(' and ') };
}

/** Describes a change of the milestone, or its removal. */
export async function milestoneNote(tx: Tx, milestoneId: number | null): Promise<ChangeNote> {
  if (milestoneId === null) return { action: 'milestone', body: 'removed milestone' };
  const [row] = await tx.query<{ title: string }[]>('select title from milestones where id = $1', [
    milestoneId,
  ]);
  return { action: 'milestone', body: `changed milestone to %"${row?.title ?? ''}"` };
}

/** Describes closing or reopening. */
export const stateNote = (state: 'closed' | 'reopened'): ChangeNote => ({ action: state, body: state });

/** Describes locking the discussion to members, or unlocking it. */
export const lockNote = (isLocked: boolean, issuable: string): ChangeNote => ({
  action: isLocked ? 'locked' : 'unlocked',
  body: `${isLocked ? 'locked' : 'unlocked'} the discussion in this ${issuable}`,
});
