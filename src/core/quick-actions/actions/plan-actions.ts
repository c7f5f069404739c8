import { Tier } from '#kernel/access/roles.js';
import { reachable } from '#core/labels/reach/planning-container.js';
import { dayOf, todayIs } from '../parsing/dates.js';
import { milestoneTitleIn } from '../parsing/name-lists.js';
import {
  assertMay,
  CommandRefused,
  lastOf,
  nameOf,
  shown,
  type AttributeAction,
  type CommandOutcome,
  type TargetAction,
} from '../quick-action.js';

const MAX_INTEGER = 2_147_483_647;

const MILESTONE = `select ms.id, ms.title from milestones ms where (ms.title = $2 or ms.id = $3) and ${reachable.project('ms', '$1')}
  order by (ms.title = $2) desc, ms.project_id nulls last limit 1`;

const already = (what: string): CommandOutcome => ({ said: [`${what} already.`] });

/** `/milestone` and `/remove_milestone`. */
export const milestoneAction: AttributeAction = {
  when: 'attributes',
  kind: 'milestone',
  names: ['milestone', 'remove_milestone'],
  async apply({ tx, target }, uses) {
    const use = lastOf(uses);
    assertMay(target.mayPlan, use);
    const { milestoneId: before } = await target.now();
    if (use.name === 'remove_milestone') {
      if (before === null) return already('There is no milestone');
      await target.change({ milestone_id: null });
      return { changes: { milestone_id: null }, said: ['Removed the milestone.'] };
    }
    const title = milestoneTitleIn(use.argument);
    const id = /^\d{1,15}$/.test(title) ? Number(title) : null;
    const [found] = await tx.query<{ id: number; title: string }[]>(MILESTONE, [target.projectId, title, id]);
    if (!found)
      throw new CommandRefused(`Could not apply /milestone: there is no milestone "${shown(title)}".`);
    if (found.id === before) return already(`The milestone is %"${found.title}"`);
    await target.change({ milestone_id: found.id });
    return { changes: { milestone_id: found.id }, said: [`Set the milestone to %"${found.title}".`] };
  },
};

/** `/due` and `/remove_due_date`. */
export const dueDateAction: AttributeAction = {
  when: 'attributes',
  kind: 'due-date',
  names: ['due', 'due_date', 'remove_due_date'],
  async apply({ target }, uses) {
    const use = lastOf(uses);
    assertMay(target.mayPlan, use);
    const { dueDate: before } = await target.now();
    if (use.name === 'remove_due_date') {
      if (before === null) return already('There is no due date');
      await target.change({ due_date: null });
      return { changes: { due_date: null }, said: ['Removed the due date.'] };
    }
    const day = dayOf(use.argument, todayIs());
    if (day === null)
      throw new CommandRefused(`Could not apply /${use.name}: "${shown(use.argument)}" is not a date.`);
    if (day === before) return already(`The due date is ${day}`);
    await target.change({ due_date: day });
    return { changes: { due_date: day }, said: [`Set the due date to ${day}.`] };
  },
};

/** `/weight` and `/clear_weight`. */
export const weightAction: AttributeAction = {
  when: 'attributes',
  kind: 'weight',
  names: ['weight', 'clear_weight'],
  async apply({ caller, target }, uses) {
    const use = lastOf(uses);
    assertMay(target.mayPlan, use);
    if (caller.tier < Tier.Premium)
      throw new CommandRefused(`Could not apply /${use.name}: the license plan has no weights.`);
    const { weight: before } = await target.now();
    const isNumber = /^\d{1,10}$/.test(use.argument) && Number(use.argument) <= MAX_INTEGER;
    if (use.name === 'weight' && !isNumber)
      throw new CommandRefused(`Could not apply /weight: "${shown(use.argument)}" is not a weight.`);
    const weight = use.name === 'weight' ? Number(use.argument) : null;
    if (weight === before) return already(weight === null ? 'There is no weight' : `The weight is ${weight}`);
    await target.change({ weight });
    return {
      changes: { weight },
      said: [weight === null ? 'Cleared the weight.' : `Set the weight to ${weight}.`],
    };
  },
};

/** `/confidential`; no action reverts it. */
export const confidentialAction: AttributeAction = {
  when: 'attributes',
  kind: 'confidential',
  names: ['confidential'],
  async apply({ target }, uses) {
    assertMay(target.mayPlan, lastOf(uses));
    const what = `This ${nameOf(target.type)} is confidential`;
    if ((await target.now()).isConfidential) return already(what);
    await target.change({ confidential: true });
    return { changes: { confidential: true }, said: [`Made this ${nameOf(target.type)} confidential.`] };
  },
};

/** `/lock` and `/unlock`; not available during creation. */
export const lockAction: TargetAction = {
  when: 'target',
  kind: 'lock',
  names: ['lock', 'unlock'],
  async apply({ target }, uses) {
    const use = lastOf(uses);
    assertMay(target.mayPlan, use);
    const isLocked = use.name === 'lock';
    const done = isLocked ? 'locked' : 'unlocked';
    if ((await target.now()).isLocked === isLocked) return already(`The discussion is ${done}`);
    await target.change({ discussion_locked: isLocked });
    return {
      changes: { discussion_locked: isLocked },
      said: [`${isLocked ? 'Locked' : 'Unlocked'} the discussion.`],
    };
  },
};
