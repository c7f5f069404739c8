import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import {
  NoteCommandsRegistry,
  type AskedCommands,
  type CommandPlace,
  type CommandsDone,
} from '#core/notes/note-commands.registry.js';
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

/** Commands of one kind, ready to be followed. */
interface Step {
  readonly uses: readonly WrittenCommand[];
  readonly apply: () => Promise<CommandOutcome>;
}

/** Follows the commands in texts: each kind once, as a part of their transaction that is undone alone where it is refused. */
@Injectable()
export class CommandRunnerService implements OnModuleInit {
  constructor(
    private readonly commands: NoteCommandsRegistry,
    private readonly actions: QuickActionsRegistry,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.commands.register((text, place) => this.read(text, place));
  }

  /** The commands in a text on a thing that is there; null where it has none. */
  read(text: string, place: CommandPlace): AskedCommands | null {
    if (!this.actions.takes(place.thing.type)) return null;
    const parsed = parseCommands(text, this.actions.meaningOf);
    return parsed.text === text && parsed.commands.length === 0 ? null : this.ask(parsed, place);
  }

  /** Commands that have been taken out of a text, ready to be followed on a thing that takes them. */
  ask({ text, commands }: ParsedText, { caller, thing: noteable, headSha }: CommandPlace): AskedCommands {
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

  /** Lets commands set the attributes of a thing that is about to be created, within `Transactions.together`. */
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
    { attributes, things }: SortedCommands,
  ): Promise<CommandsDone> {
    const kinds = [...attributes, ...things];
    if (kinds.length === 0) return { changes: {}, summary: [] };
    const work = { ...given, tx, thing: await this.actions.thing(tx, given.caller, given.noteable) };
    return follow(
      kinds.map(({ action, uses }) => ({ uses, apply: () => this.part(() => action.apply(work, uses)) })),
    );
  }

  /** As a part of the transaction around it. */
  private part(apply: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
    return this.transactions.run(apply);
  }
}

/** Follows one kind after the other: what is refused is told, and changes nothing. */
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

/** @throws whatever is no answer to a command, such as an error of the database */
function refusalOf(error: unknown, { name }: WrittenCommand): string {
  if (error instanceof CommandRefused) return error.said;
  if (!(error instanceof HttpError) || error.status >= 500) throw error;
  return `Could not apply /${name}: ${reasonOf(error)}.`;
}
