import { Injectable, type OnModuleInit } from '@nestjs/common';
import { onGroup } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { labelsAction } from '#core/quick-actions/actions/labels-action.js';
import { confidentialAction } from '#core/quick-actions/actions/plan-actions.js';
import { ccAction, stateAction } from '#core/quick-actions/actions/state-action.js';
import { NoteableActionsService } from '#core/quick-actions/actions/noteable-actions.service.js';
import { titleAction } from '#core/quick-actions/actions/title-action.js';
import { ExistingTarget } from '#core/quick-actions/targets/existing-target.js';
import { QuickActionsRegistry, type TargetOpener } from '#core/quick-actions/quick-actions.registry.js';
import { EpicFinder } from '../visibility/epic.finder.js';
import { UpdateEpic } from '../update-epic.use-case.js';

/** Quick actions of epics. */
@Injectable()
export class EpicCommandsContribution implements OnModuleInit {
  constructor(
    private readonly actions: QuickActionsRegistry,
    private readonly talk: NoteableActionsService,
    private readonly access: EpicFinder,
    private readonly updates: UpdateEpic,
  ) {}

  onModuleInit(): void {
    const open: TargetOpener = async (tx, caller, noteable) => {
      const facts = await this.access.findById(onGroup(caller), noteable.id as number);
      // As for the route with the same effect.
      const may = caller.role >= Role.Reporter;
      return new ExistingTarget(tx, noteable, { mayUpdate: may, mayPlan: may }, (changes) =>
        this.updates.run(caller, facts, { epic_iid: facts.iid, ...changes }),
      );
    };
    this.actions.register(
      'Epic',
      [titleAction(), labelsAction, confidentialAction, stateAction, ccAction, ...this.talk.ofTargets()],
      open,
    );
  }
}
