import type { Tx } from '#kernel/database/transactions.js';
import type { PeopleChange } from './assignees.js';
import type { LabelChange } from './label-links.js';

/** A system note to write: a word for machines and a text for people. */
export interface ChangeNote {
  readonly action: string;
  readonly body: string;
}

/** Backslashes keep a title from closing the emphasis around it. */
const quoted = (title: string): string => `**${title.replace(/[\\*]/g, '\\$&')}**`;

const labelName = (title: string): string => (/^[\w-]+$/.test(title) ? `~${title}` : `~"${title}"`);

/** Another title. */
export const titleNote = (from: string, to: string): ChangeNote => ({
  action: 'title',
  body: `changed title from ${quoted(from)} to ${quoted(to)}`,
});

/** Another description. */
export const descriptionNote: ChangeNote = { action: 'description', body: 'changed the description' };

/** Labels added and removed; null when there are neither. */
export function labelNote({ added, removed }: LabelChange): ChangeNote | null {
  const parts = [
    ...(added.length > 0 ? [`added ${added.map(labelName).join(' ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.map(labelName).join(' ')}`] : []),
  ];
  if (parts.length === 0) return null;
  const count = added.length + removed.length;
  return { action: 'label', body: `${parts.join(' and ')} ${count === 1 ? 'label' : 'labels'}` };
}

/** Users assigned and no longer assigned; `words` say it of reviewers. */
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

/** Another milestone, or none. */
export async function milestoneNote(tx: Tx, milestoneId: number | null): Promise<ChangeNote> {
  if (milestoneId === null) return { action: 'milestone', body: 'removed milestone' };
  const [row] = await tx.query<{ title: string }[]>('select title from milestones where id = $1', [
    milestoneId,
  ]);
  return { action: 'milestone', body: `changed milestone to %"${row?.title ?? ''}"` };
}

/** Closed or opened again. */
export const stateNote = (state: 'closed' | 'reopened'): ChangeNote => ({ action: state, body: state });

/** Locked for all but members, or open again. */
export const lockNote = (isLocked: boolean, thing: string): ChangeNote => ({
  action: isLocked ? 'locked' : 'unlocked',
  body: `${isLocked ? 'locked' : 'unlocked'} the discussion in this ${thing}`,
});
