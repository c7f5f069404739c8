import { commandTargetState } from '../targets/existing-target.js';
import type { CommandReferenceFinder } from '../targets/command-reference.finder.js';
import {
  assertMay,
  CommandRefused,
  lastOf,
  shown,
  type TargetAction,
  type CommandTargetChanges,
} from '../quick-action.js';

/** `/copy_metadata`: copies labels and milestone of another issue or merge request of the same project. */
export const copyMetadataAction = (referenceFinder: CommandReferenceFinder): TargetAction => ({
  when: 'target',
  kind: 'copy-metadata',
  names: ['copy_metadata'],
  async apply({ tx, caller, target }, uses) {
    const use = lastOf(uses);
    assertMay(target.mayPlan, use);
    const type = /![^!]*$|merge_requests/.test(use.argument) ? 'MergeRequest' : 'Issue';
    const source = await referenceFinder.find(tx, caller, target.projectId as number, type, use.argument);
    if (source.projectId !== target.projectId)
      throw new CommandRefused(
        `Could not apply /copy_metadata: "${shown(use.argument)}" is in another project.`,
      );
    const [from, now] = [await commandTargetState(tx, type, source.id), await target.now()];
    const labels = from.labels.filter((title) => !now.labels.includes(title));
    const changes: CommandTargetChanges = {
      ...(labels.length > 0 ? { add_labels: labels } : {}),
      ...(from.milestoneId !== null && from.milestoneId !== now.milestoneId
        ? { milestone_id: from.milestoneId }
        : {}),
    };
    if (Object.keys(changes).length === 0) return { said: ['Labels and milestone are the same already.'] };
    await target.change(changes);
    return { changes: { ...changes }, said: [`Copied labels and milestone from ${shown(use.argument)}.`] };
  },
});
