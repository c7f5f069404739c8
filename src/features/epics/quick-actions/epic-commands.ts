import { Injectable, type OnModuleInit } from '@nestjs/common';
import { onGroup } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { labelsAction } from '#core/quick-actions/actions/labels-action.js';
import { confidentialAction } from '#core/quick-actions/actions/plan-actions.js';
import { ccAction, stateAction } from '#core/quick-actions/actions/state-action.js';
import { TalkActions } from '#core/quick-actions/actions/talk-actions.js';
import { titleAction } from '#core/quick-actions/actions/title-action.js';
import { ExistingTarget } from '#core/quick-actions/targets/existing-target.js';
import { QuickActions } from '#core/quick-actions/quick-actions.js';
import { EpicAccess } from '../visibility/epic-access.js';
import { EpicUpdate } from '../update-epic.js';

/** The commands that epics take. */
@Injectable()
export class EpicCommands implements OnModuleInit {
  constructor(
    private readonly actions: QuickActions,
    private readonly talk: TalkActions,
    private readonly access: EpicAccess,
    private readonly updates: EpicUpdate,
  ) {}

  onModuleInit(): void {
    this.actions.open('Epic', async (tx, caller, noteable) => {
      const facts = await this.access.findById(onGroup(caller), noteable.id as number);
      // As the route that does the same asks for it.
      const may = caller.role >= Role.Reporter;
      return new ExistingTarget(tx, noteable, { mayUpdate: may, mayPlan: may }, (changes) =>
        this.updates.update(caller, facts, { epic_iid: facts.iid, ...changes }),
      );
    });
    this.actions.register('Epic', [
      titleAction(),
      labelsAction,
      confidentialAction,
      stateAction,
      ccAction,
      ...this.talk.ofThings(),
    ]);
  }
}
