import { onProject } from '#kernel/access/caller.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { confidentialAction, dueDateAction, weightAction } from '#core/quick-actions/actions/plan-actions.js';
import { PlannedTargetActionsService } from '#core/quick-actions/actions/planned-target-actions.service.js';
import { ExistingTarget } from '#core/quick-actions/targets/existing-target.js';
import { QuickActionsRegistry, type TargetOpener } from '#core/quick-actions/quick-actions.registry.js';
import { IssueFinder } from '../issue.finder.js';
import { UpdateIssue } from '../writes/update-issue.use-case.js';
import { IssueMoveActionsService } from './issue-move-actions.service.js';
import { severityAction } from './severity-action.js';

/** Quick actions of issues. */
@Injectable()
export class IssueCommandsContribution implements OnModuleInit {
  constructor(
    private readonly actions: QuickActionsRegistry,
    private readonly shared: PlannedTargetActionsService,
    private readonly moves: IssueMoveActionsService,
    private readonly access: IssueFinder,
    private readonly updates: UpdateIssue,
  ) {}

  onModuleInit(): void {
    const open: TargetOpener = async (tx, caller, noteable) => {
      const iid = noteable.iid as number;
      const { rights } = await this.access.find(onProject(caller), iid);
      const may = { mayUpdate: rights.update, mayPlan: rights.plan };
      return new ExistingTarget(tx, noteable, may, (changes) =>
        this.updates.update(onProject(caller), { issue_iid: iid, ...changes }),
      );
    };
    this.actions.register(
      'Issue',
      [
        ...this.shared.all(),
        dueDateAction,
        weightAction,
        confidentialAction,
        severityAction,
        ...this.moves.all(),
      ],
      open,
    );
  }
}
