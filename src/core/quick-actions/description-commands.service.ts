import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { AskedCommands } from '#core/notes/note-commands.port.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import { lockNoteable } from '#core/notes/noteables/noteable-lock.js';
import { CommandRunnerService } from './command-runner.service.js';
import { DraftTarget, type DraftParams, type DraftContainer } from './targets/draft-target.js';
import { parseCommands, type ParsedText } from './parsing/parse-commands.js';
import { QuickActionsRegistry } from './quick-actions.registry.js';
import { sortCommands } from './parsing/sort-commands.js';

/** An object being created: its container, and how to find it afterwards. */
export interface NewTarget<Created> extends DraftContainer {
  /**
   * Returns null if it is in a container other than that of the caller's request: no further actions are run
   * on it.
   */
  readonly find: (created: Created) => Promise<Noteable | null>;
}

/** Runs quick actions in the descriptions of objects that are created or updated. */
@Injectable()
export class DescriptionCommandsService {
  constructor(
    private readonly actions: QuickActionsRegistry,
    private readonly runner: CommandRunnerService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates an object from its parameters and the quick actions in its description, in one transaction:
   * attributes together with the object, by the rights that creating it requires, and the rest right after
   * it.
   */
  async create<Params extends DraftParams, Created>(
    caller: UserCaller,
    { find, ...container }: NewTarget<Created>,
    params: Params,
    create: (params: Params) => Promise<Created>,
  ): Promise<Created> {
    const parsed = this.parse(params.description);
    if (!parsed) return create(params);
    const sorted = sortCommands(parsed.commands, (name) => this.actions.of(container.type, name));
    const rest = [...sorted.onTarget, ...sorted.late].flatMap(({ uses }) => uses);
    const { created, asked } = await this.transactions.together(async (tx) => {
      const draft = new DraftTarget(container, { ...params, description: parsed.text });
      await this.runner.attributes({ tx, caller, target: draft }, sorted);
      const made = await create(draft.params);
      const noteable = rest.length === 0 ? null : await find(made);
      const commands = noteable && (await this.follow(tx, caller, noteable, { text: '', commands: rest }));
      return { created: made, asked: commands };
    });
    await asked?.afterwards();
    return created;
  }

  /** Updates an object from its parameters and the quick actions in its new description. */
  async update<Params extends { readonly description?: string | null }>(
    caller: UserCaller,
    params: Params,
    update: (params: Params) => Promise<void>,
    find: () => Promise<Noteable>,
  ): Promise<void> {
    const parsed = this.parse(params.description);
    if (!parsed) return update(params);
    const asked = await this.transactions.together(async (tx) => {
      await update({ ...params, description: parsed.text });
      return this.follow(tx, caller, await find(), parsed);
    });
    await asked.afterwards();
  }

  private parse(description: string | null | undefined): ParsedText | null {
    const parsed = parseCommands(description ?? '', this.actions.meaningOf);
    return parsed.commands.length === 0 && parsed.text === (description ?? '') ? null : parsed;
  }

  private async follow(
    tx: Tx,
    caller: UserCaller,
    noteable: Noteable,
    parsed: ParsedText,
  ): Promise<AskedCommands> {
    const asked = this.runner.ask(parsed, { caller, noteable, headSha: null });
    await lockNoteable(tx, noteable.type, noteable.id);
    await asked.within(tx);
    return asked;
  }
}
