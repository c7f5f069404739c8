import type { WrittenCommand } from './parse-commands.js';
import type { AttributeAction, LateAction, QuickAction, TargetAction } from '../quick-action.js';

/** Quick actions of one kind, in the order of the text. */
export interface Kind<Action extends QuickAction> {
  readonly action: Action;
  readonly uses: readonly WrittenCommand[];
}

/** Quick actions of a text by the time they run, each kind once. */
export interface SortedCommands {
  readonly attributes: readonly Kind<AttributeAction>[];
  readonly onTarget: readonly Kind<TargetAction>[];
  readonly late: readonly Kind<LateAction>[];
  /** Names of actions that the type does not support. */
  readonly unfit: readonly string[];
}

/**
 * Groups quick actions by what they change; `actionOf` is undefined for one that the type does not support.
 */
export function sortCommands(
  commands: readonly WrittenCommand[],
  actionOf: (name: string) => QuickAction | undefined,
): SortedCommands {
  const kinds = new Map<string, { action: QuickAction; uses: WrittenCommand[] }>();
  const unfit = new Set<string>();
  for (const command of commands) {
    const action = actionOf(command.name);
    const known = action && kinds.get(action.kind);
    if (!action) unfit.add(command.name);
    else if (known) known.uses.push(command);
    else kinds.set(action.kind, { action, uses: [command] });
  }
  const attributes: Kind<AttributeAction>[] = [];
  const onTarget: Kind<TargetAction>[] = [];
  const late: Kind<LateAction>[] = [];
  for (const { action, uses } of kinds.values()) {
    if (action.when === 'attributes') attributes.push({ action, uses });
    else if (action.when === 'afterwards') late.push({ action, uses });
    else onTarget.push({ action, uses });
  }
  // An action that moves the object away runs last.
  const inOrder = [...onTarget].sort(
    (one, other) => Number(one.action.when === 'last') - Number(other.action.when === 'last'),
  );
  return { attributes, onTarget: inOrder, late, unfit: [...unfit] };
}
