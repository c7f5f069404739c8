import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { AskedCommands } from '#core/notes/note-commands.registry.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import { lockNoteable } from '#core/notes/noteables/noteable-lock.js';
import { CommandRunnerService } from './command-runner.service.js';
import { DraftTarget, type DraftParams, type DraftPlace } from './targets/draft-target.js';
import { parseCommands, type ParsedText } from './parsing/parse-commands.js';
import { QuickActionsRegistry } from './quick-actions.registry.js';
import { sortCommands } from './parsing/sort-commands.js';

/** A thing that is about to be created: where, and how it is found then. */
export interface NewTarget<Created> extends DraftPlace {
  /** Its creation stores it and does nothing else: it and what commands say of it are one transaction. */
  readonly isOnlyStored: boolean;
  /** Null where it is in a place that the caller's request is not about: nothing more is done to it there. */
  readonly find: (created: Created) => Promise<Noteable | null>;
}

/** Commands in the descriptions of things that are created or changed. */
@Injectable()
export class DescriptionCommandsService {
  constructor(
    private readonly actions: QuickActionsRegistry,
    private readonly runner: CommandRunnerService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates a thing as its parameters and the commands in its description say: attributes with the thing itself, by the rights that its
   * creation asks for, and the rest right after it.
   */
  async create<Params extends DraftParams, Created>(
    caller: UserCaller,
    { find, isOnlyStored, ...place }: NewTarget<Created>,
    params: Params,
    create: (params: Params) => Promise<Created>,
  ): Promise<Created> {
    const parsed = this.parse(params.description);
    if (!parsed) return create(params);
    const sorted = sortCommands(parsed.commands, (name) => this.actions.of(place.type, name));
    const drafted = async (tx: Tx): Promise<Params> => {
      const draft = new DraftTarget(place, { ...params, description: parsed.text });
      await this.runner.attributes({ tx, caller, thing: draft }, sorted);
      return draft.params;
    };
    const created = isOnlyStored
      ? await this.transactions.together(async (tx) => create(await drafted(tx)))
      : await create(await this.transactions.together(drafted));
    const rest = [...sorted.things, ...sorted.late].flatMap(({ uses }) => uses);
    const thing = rest.length === 0 ? null : await find(created);
    if (!thing) return created;
    const asked = this.runner.ask({ text: '', commands: rest }, { caller, thing, headSha: null });
    await this.transactions.together((tx) => this.follow(asked, thing, tx));
    await asked.afterwards();
    return created;
  }

  /** Changes a thing as its parameters and the commands in its new description say. */
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
      const thing = await find();
      const commands = this.runner.ask(parsed, { caller, thing, headSha: null });
      await this.follow(commands, thing, tx);
      return commands;
    });
    await asked.afterwards();
  }

  private parse(description: string | null | undefined): ParsedText | null {
    const parsed = parseCommands(description ?? '', this.actions.meaningOf);
    return parsed.commands.length === 0 && parsed.text === (description ?? '') ? null : parsed;
  }

  private async follow(asked: AskedCommands, { type, id }: Noteable, tx: Tx): Promise<void> {
    await lockNoteable(tx, type, id);
    await asked.within(tx);
  }
}
