import { onProject } from '#kernel/access/caller.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { reviewersAction } from '#core/quick-actions/actions/people-action.js';
import { PlannedTargetActionsService } from '#core/quick-actions/actions/planned-target-actions.service.js';
import { titleAction } from '#core/quick-actions/actions/title-action.js';
import { ExistingTarget } from '#core/quick-actions/targets/existing-target.js';
import {
  assertMay,
  CommandRefused,
  lastOf,
  shown,
  type TargetAction,
} from '#core/quick-actions/quick-action.js';
import { QuickActionsRegistry, type TargetOpener } from '#core/quick-actions/quick-actions.registry.js';
import { MergeRequestApprovalsService } from '../approvals/merge-request-approvals.service.js';
import { MergeRequestFinder, mayPlan } from '../merge-request.finder.js';
import { UpdateMergeRequest } from '../writes/update-merge-request.use-case.js';
import { DRAFT_TEXTS } from './draft-texts.js';

/** Quick actions of merge requests, except those on their code. */
@Injectable()
export class MergeRequestCommandsContribution implements OnModuleInit {
  constructor(
    private readonly actions: QuickActionsRegistry,
    private readonly shared: PlannedTargetActionsService,
    private readonly access: MergeRequestFinder,
    private readonly updates: UpdateMergeRequest,
    private readonly approvals: MergeRequestApprovalsService,
  ) {}

  onModuleInit(): void {
    const open: TargetOpener = async (tx, caller, noteable) => {
      const iid = noteable.iid as number;
      const { isOwn } = await this.access.find(onProject(caller), iid);
      const may = { mayUpdate: caller.role >= Role.Developer || isOwn, mayPlan: mayPlan(caller) };
      return new ExistingTarget(tx, noteable, may, (changes) =>
        this.updates.run(onProject(caller), { merge_request_iid: iid, ...changes }),
      );
    };
    this.actions.register(
      'MergeRequest',
      [...this.shared.all(titleAction(DRAFT_TEXTS)), reviewersAction, this.targetBranch, this.approval],
      open,
    );
  }

  /** `/target_branch`. */
  private readonly targetBranch: TargetAction = {
    when: 'target',
    kind: 'target-branch',
    names: ['target_branch'],
    apply: async ({ target, tx, noteable }, uses) => {
      const use = lastOf(uses);
      assertMay(target.mayUpdate, use);
      const branch = use.argument.slice(0, 1_024);
      if (branch === '') throw new CommandRefused('Could not apply /target_branch: it needs a branch.');
      const before = await targetOf(tx, noteable.id as number);
      if (branch === before) return { said: [`The target branch is ${shown(branch)} already.`] };
      await target.change({ target_branch: branch });
      return (await targetOf(tx, noteable.id as number)) === branch
        ? { changes: { target_branch: branch }, said: [`Set the target branch to ${shown(branch)}.`] }
        : { said: ['Could not apply /target_branch: this merge request is not open.'] };
    },
  };

  /** `/approve` and `/unapprove`. */
  private readonly approval: TargetAction = {
    when: 'target',
    kind: 'approval',
    names: ['approve', 'unapprove'],
    apply: async ({ caller, noteable, headSha }, uses) => {
      const use = lastOf(uses);
      // As for the routes with the same effect.
      assertMay(caller.role >= Role.Developer, use);
      const iid = noteable.iid as number;
      if (use.name === 'approve')
        await this.approvals.approve(onProject(caller), {
          merge_request_iid: iid,
          ...(headSha === null ? {} : { sha: headSha }),
        });
      else await this.approvals.unapprove(onProject(caller), iid);
      const said = use.name === 'approve' ? 'Approved this merge request.' : 'Revoked the approval.';
      return { changes: { approval: use.name }, said: [said] };
    },
  };
}

async function targetOf(tx: Tx, id: number): Promise<string | undefined> {
  const [row] = await tx.query<{ target_branch: string }[]>(
    'select target_branch from merge_requests where id = $1',
    [id],
  );
  return row?.target_branch;
}
