import { Injectable } from '@nestjs/common';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { CommandMeaning } from './parsing/parse-commands.js';
import type { CommandTarget, CommandTargetType, QuickAction } from './quick-action.js';

/** Opens a thing of a type for commands, in their transaction. */
export type TargetOpener = (tx: Tx, caller: UserCaller, thing: Noteable) => Promise<CommandTarget>;

/** Words to write for others. */
const WORDS: Readonly<Record<string, string>> = {
  shrug: '¯\\＿(ツ)＿/¯',
  tableflip: '(╯°□°)╯︵ ┻━┻',
};

/** All commands, and on which things they work: the modules that have the things register both in `onModuleInit`. */
@Injectable()
export class QuickActionsRegistry {
  private readonly openers = new Map<CommandTargetType, TargetOpener>();
  private readonly actions = new Map<CommandTargetType, Map<string, QuickAction>>();
  private readonly names = new Set<string>();

  /** Says how things of a type are changed. */
  registerTarget(type: CommandTargetType, opener: TargetOpener): void {
    this.openers.set(type, opener);
  }

  /** Adds commands for a type of things. */
  register(type: CommandTargetType, actions: readonly QuickAction[]): void {
    const known = this.actions.get(type) ?? new Map<string, QuickAction>();
    for (const action of actions)
      for (const name of action.names) {
        known.set(name, action);
        this.names.add(name);
      }
    this.actions.set(type, known);
  }

  /** Whether anything of a type takes commands. */
  takes(type: string): type is CommandTargetType {
    return this.actions.has(type as CommandTargetType);
  }

  /** The action of a name on things of a type; undefined where there is none. */
  of(type: CommandTargetType, name: string): QuickAction | undefined {
    return this.actions.get(type)?.get(name);
  }

  /** What a line that begins with this name is. A command of other things is one too: it is told that it does not fit. */
  readonly meaningOf = (name: string): CommandMeaning => {
    if (this.names.has(name)) return 'command';
    const text = WORDS[name];
    return text === undefined ? null : { text };
  };

  /** Opens a thing for its commands. */
  thing(tx: Tx, caller: UserCaller, noteable: Noteable): Promise<CommandTarget> {
    const opener = this.openers.get(noteable.type as CommandTargetType);
    if (!opener) throw new Error(`Nobody opens a ${noteable.type} for commands`);
    return opener(tx, caller, noteable);
  }
}
