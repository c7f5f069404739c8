import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import type {
  AskedCommands,
  CommandContext,
  CommandsDone,
  NoteCommandsPort,
} from '#core/notes/note-commands.port.js';
import { parseCommands, type ParsedText, type WrittenCommand } from './parsing/parse-commands.js';
import {
  CommandRefused,
  lastOf,
  nameOf,
  type CommandTargetType,
  type CommandOutcome,
  type CommandWork,
  type LateWork,
} from './quick-action.js';
import { QuickActionsRegistry } from './quick-actions.registry.js';
import { reasonOf } from './reasons.js';
import { sortCommands, type SortedCommands } from './parsing/sort-commands.js';

/** Quick actions of one kind, ready to run. */
interface Step {
  readonly uses: readonly WrittenCommand[];
  readonly apply: () => Promise<CommandOutcome>;
}

/**
 * Runs the quick actions of a text, one kind at a time, each in a savepoint that is rolled back if the action
 * is rejected.
 */
@Injectable()
export class CommandRunnerService implements NoteCommandsPort {
  constructor(
    private readonly actions: QuickActionsRegistry,
    private readonly transactions: Transactions,
  ) {}

  /** Parses the quick actions in a text on an existing noteable; null if it has none. */
  read(text: string, context: CommandContext): AskedCommands | null {
    if (!this.actions.takes(context.noteable.type)) return null;
    const parsed = parseCommands(text, this.actions.meaningOf);
    return parsed.text === text && parsed.commands.length === 0 ? null : this.ask(parsed, context);
  }

  /** Prepares parsed quick actions for an existing noteable that supports them. */
  ask(
    { text, commands }: ParsedText,
    { caller, noteable: noteable, headSha }: CommandContext,
  ): AskedCommands {
    const type = noteable.type as CommandTargetType;
    const sorted = sortCommands(commands, (name) => this.actions.of(type, name));
    const work = { caller, noteable, headSha };
    const unfit = sorted.unfit.map(
      (name) => `Could not apply /${name}: this command is not available for ${nameOf(type)}s.`,
    );
    return {
      text,
      within: async (tx) => {
        const { changes, summary } = await this.within(tx, work, sorted);
        return { changes, summary: [...summary, ...unfit] };
      },
      afterwards: () =>
        follow(sorted.late.map(({ action, uses }) => ({ uses, apply: () => action.apply(work, uses) }))),
    };
  }

  /**
   * Runs the quick actions that set attributes of an object being created, within `Transactions.together`.
   */
  attributes(work: CommandWork, { attributes }: SortedCommands): Promise<CommandsDone> {
    return follow(
      attributes.map(({ action, uses }) => ({
        uses,
        apply: () => this.part(() => action.apply(work, uses)),
      })),
    );
  }

  private async within(
    tx: Tx,
    given: LateWork,
    { attributes, onTarget }: SortedCommands,
  ): Promise<CommandsDone> {
    const kinds = [...attributes, ...onTarget];
    if (kinds.length === 0) return { changes: {}, summary: [] };
    const work = { ...given, tx, target: await this.actions.open(tx, given.caller, given.noteable) };
    return follow(
      kinds.map(({ action, uses }) => ({ uses, apply: () => this.part(() => action.apply(work, uses)) })),
    );
  }

  /** Runs in a savepoint of the surrounding transaction. */
  private part(apply: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
    return this.transactions.run(apply);
  }
}

/** Runs the kinds in order; reports rejected ones, which change nothing. */
async function follow(steps: readonly Step[]): Promise<CommandsDone> {
  const changes: Record<string, unknown> = {};
  const summary: string[] = [];
  for (const { uses, apply } of steps) {
    try {
      const outcome = await apply();
      Object.assign(changes, outcome.changes);
      summary.push(...outcome.said);
    } catch (error) {
      summary.push(refusalOf(error, lastOf(uses)));
    }
  }
  return { changes, summary };
}

/** Returns the message of a rejected action. @throws other errors, such as those of the database */
function refusalOf(error: unknown, { name }: WrittenCommand): string {
  if (error instanceof CommandRefused) return error.said;
  if (!(error instanceof HttpError) || error.status >= 500) throw error;
  return `Could not apply /${name}: ${reasonOf(error)}.`;
}
