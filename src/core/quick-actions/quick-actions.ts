import { Injectable } from '@nestjs/common';
import type { Noteable } from '#core/notes/noteable.js';
import type { Caller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { CommandMeaning } from './parse-commands.js';
import type { CommandedThing, CommandedType, QuickAction } from './quick-action.js';

/** Opens a thing of a type for commands, in their transaction. */
export type ThingOpener = (tx: Tx, caller: Caller, thing: Noteable) => Promise<CommandedThing>;

/** Words to write for others. */
const WORDS: Readonly<Record<string, string>> = {
  shrug: '¯\\＿(ツ)＿/¯',
  tableflip: '(╯°□°)╯︵ ┻━┻',
};

/** All commands, and on which things they work: the modules that have the things register both in `onModuleInit`. */
@Injectable()
export class QuickActions {
  private readonly openers = new Map<CommandedType, ThingOpener>();
  private readonly actions = new Map<CommandedType, Map<string, QuickAction>>();
  private readonly names = new Set<string>();

  /** Says how things of a type are changed. */
  open(type: CommandedType, opener: ThingOpener): void {
    this.openers.set(type, opener);
  }

  /** Adds commands for a type of things. */
  register(type: CommandedType, actions: readonly QuickAction[]): void {
    const known = this.actions.get(type) ?? new Map<string, QuickAction>();
    for (const action of actions)
      for (const name of action.names) {
        known.set(name, action);
        this.names.add(name);
      }
    this.actions.set(type, known);
  }

  /** Whether anything of a type takes commands. */
  takes(type: string): type is CommandedType {
    return this.actions.has(type as CommandedType);
  }

  /** The action of a name on things of a type; undefined where there is none. */
  of(type: CommandedType, name: string): QuickAction | undefined {
    return this.actions.get(type)?.get(name);
  }

  /** What a line that begins with this name is. A command of other things is one too: it is told that it does not fit. */
  readonly meaningOf = (name: string): CommandMeaning => {
    if (this.names.has(name)) return 'command';
    const text = WORDS[name];
    return text === undefined ? null : { text };
  };

  /** Opens a thing for its commands. */
  thing(tx: Tx, caller: Caller, noteable: Noteable): Promise<CommandedThing> {
    const opener = this.openers.get(noteable.type as CommandedType);
    if (!opener) throw new Error(`Nobody opens a ${noteable.type} for commands`);
    return opener(tx, caller, noteable);
  }
}
