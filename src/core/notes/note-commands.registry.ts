import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { Noteable } from './noteables/noteable.js';

/** What commands in a text have done. */
export interface CommandsDone {
  /** Attributes of the thing that are others now, by their names in v4. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** What was done and what could not be done, in sentences. */
  readonly summary: readonly string[];
}

/** What a text asks for besides being read. */
export interface AskedCommands {
  /** The text without the commands. */
  readonly text: string;
  /** Does what is asked, under the lock of the thing, within `Transactions.together`. */
  within(tx: Tx): Promise<CommandsDone>;
  /** Does what can only be done once that transaction has committed. */
  afterwards(): Promise<CommandsDone>;
}

/** Where a text was written, and what its writer has seen. */
export interface CommandPlace {
  readonly caller: UserCaller;
  readonly thing: Noteable;
  /** Head of the merge request as the writer knows it. */
  readonly headSha: string | null;
}

/** Reads the commands in a text; null where it has none. */
export type CommandReader = (text: string, place: CommandPlace) => AskedCommands | null;

/** What notes know of commands: the module that has them registers itself in `onModuleInit`. */
@Injectable()
export class NoteCommandsRegistry {
  private reader: CommandReader | null = null;

  register(reader: CommandReader): void {
    this.reader = reader;
  }

  /** The commands in a text; null where it has none, and where nobody knows any. */
  read(text: string, place: CommandPlace): AskedCommands | null {
    return this.reader?.(text, place) ?? null;
  }
}

/** Nothing was asked for. */
export const NOTHING_DONE: CommandsDone = { changes: {}, summary: [] };

/** Both, one after the other. */
export const bothDone = (first: CommandsDone, second: CommandsDone): CommandsDone => ({
  changes: { ...first.changes, ...second.changes },
  summary: [...first.summary, ...second.summary],
});
