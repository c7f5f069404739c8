import { Injectable } from '@nestjs/common';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { CommandMeaning } from './parsing/parse-commands.js';
import type { CommandTarget, CommandTargetType, QuickAction } from './quick-action.js';

/** Opens an object of a type for quick actions, in their transaction. */
export type TargetOpener = (tx: Tx, caller: UserCaller, noteable: Noteable) => Promise<CommandTarget>;

/** Quick actions that are replaced by text. */
const WORDS: Readonly<Record<string, string>> = {
  shrug: '¯\\＿(ツ)＿/¯',
  tableflip: '(╯°□°)╯︵ ┻━┻',
};

/**
 * Registry of all quick actions and the objects that support them; the modules of the objects register both
 * in `onModuleInit`.
 */
@Injectable()
export class QuickActionsRegistry {
  private readonly openers = new Map<CommandTargetType, TargetOpener>();
  private readonly actions = new Map<CommandTargetType, Map<string, QuickAction>>();
  private readonly names = new Set<string>();

  /** Adds quick actions for a type; the module that owns the type also gives the opener. */
  register(type: CommandTargetType, actions: readonly QuickAction[], opener?: TargetOpener): void {
    if (opener) this.openers.set(type, opener);
    const known = this.actions.get(type) ?? new Map<string, QuickAction>();
    for (const action of actions)
      for (const name of action.names) {
        known.set(name, action);
        this.names.add(name);
      }
    this.actions.set(type, known);
  }

  /** Returns whether a type supports quick actions. */
  takes(type: string): type is CommandTargetType {
    return this.actions.has(type as CommandTargetType);
  }

  /** Returns the action with a name for a type; undefined if there is none. */
  of(type: CommandTargetType, name: string): QuickAction | undefined {
    return this.actions.get(type)?.get(name);
  }

  /**
   * Returns the meaning of a line that starts with this name. An action of other types is also an action,
   * which is reported as unavailable.
   */
  readonly meaningOf = (name: string): CommandMeaning => {
    if (this.names.has(name)) return 'command';
    const text = WORDS[name];
    return text === undefined ? null : { text };
  };

  /** Opens an object for its quick actions. */
  open(tx: Tx, caller: UserCaller, noteable: Noteable): Promise<CommandTarget> {
    const opener = this.openers.get(noteable.type as CommandTargetType);
    if (!opener) throw new Error(`No contribution is registered for commands on ${noteable.type}`);
    return opener(tx, caller, noteable);
  }
}
