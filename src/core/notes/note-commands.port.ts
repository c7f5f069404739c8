import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { Noteable } from './noteables/noteable.js';

/** Results of the quick actions in a text. */
export interface CommandsDone {
  /** Changed attributes of the noteable, by their v4 names. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Sentences about the actions that succeeded and failed. */
  readonly summary: readonly string[];
}

/** Quick actions parsed from a text. */
export interface AskedCommands {
  /** The text without its quick actions. */
  readonly text: string;
  /** Runs the actions within `Transactions.together`; the noteable must be locked. */
  within(tx: Tx): Promise<CommandsDone>;
  /** Runs the actions that require that transaction to have committed. */
  afterwards(): Promise<CommandsDone>;
}

/** Author and noteable of a text, and the state that the author saw. */
export interface CommandContext {
  readonly caller: UserCaller;
  readonly noteable: Noteable;
  /** Head of the merge request that the author saw. */
  readonly headSha: string | null;
}

/** Parser of quick actions for notes. */
export abstract class NoteCommandsPort {
  /** Parses the quick actions of a text; null if it has none. */
  abstract read(text: string, context: CommandContext): AskedCommands | null;
}

/** Result of a text without quick actions. */
export const NOTHING_DONE: CommandsDone = { changes: {}, summary: [] };

/** Merges two results, in order. */
export const bothDone = (first: CommandsDone, second: CommandsDone): CommandsDone => ({
  changes: { ...first.changes, ...second.changes },
  summary: [...first.summary, ...second.summary],
});
