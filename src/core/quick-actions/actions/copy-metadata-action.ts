import { thingNow } from '../targets/existing-target.js';
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
export const copyMetadataAction = (things: CommandReferenceFinder): TargetAction => ({
  when: 'thing',
  kind: 'copy-metadata',
  names: ['copy_metadata'],
  async apply({ tx, caller, thing }, uses) {
    const use = lastOf(uses);
    assertMay(thing.mayPlan, use);
    const type = /![^!]*$|merge_requests/.test(use.argument) ? 'MergeRequest' : 'Issue';
    const source = await things.find(tx, caller, thing.projectId as number, type, use.argument);
    if (source.projectId !== thing.projectId)
      throw new CommandRefused(
        `Could not apply /copy_metadata: "${shown(use.argument)}" is in another project.`,
      );
    const [from, now] = [await thingNow(tx, type, source.id), await thing.now()];
    const labels = from.labels.filter((title) => !now.labels.includes(title));
    const changes: CommandTargetChanges = {
      ...(labels.length > 0 ? { add_labels: labels } : {}),
      ...(from.milestoneId !== null && from.milestoneId !== now.milestoneId
        ? { milestone_id: from.milestoneId }
        : {}),
    };
    if (Object.keys(changes).length === 0) return { said: ['Labels and milestone are the same already.'] };
    await thing.change(changes);
    return { changes: { ...changes }, said: [`Copied labels and milestone from ${shown(use.argument)}.`] };
  },
});
