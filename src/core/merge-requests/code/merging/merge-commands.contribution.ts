import { Injectable, type OnModuleInit } from '@nestjs/common';
import { onProject } from '#kernel/access/caller.js';
import { CommandRefused, type LateAction } from '#core/quick-actions/quick-action.js';
import { QuickActionsRegistry } from '#core/quick-actions/quick-actions.registry.js';
import { MergeRequestRebasingService } from '../rebasing/merge-request-rebasing.service.js';
import { MergeMergeRequest } from './merge-merge-request.use-case.js';
import { MergeableQueries } from './mergeable.queries.js';

/**
 * Quick actions on the code of merge requests. Both run in their own transactions, whose intermediate states
 * others can see.
 */
@Injectable()
export class MergeCommandsContribution implements OnModuleInit {
  constructor(
    private readonly actions: QuickActionsRegistry,
    private readonly merging: MergeMergeRequest,
    private readonly rebasing: MergeRequestRebasingService,
    private readonly queries: MergeableQueries,
  ) {}

  onModuleInit(): void {
    this.actions.register('MergeRequest', [this.rebase, this.merge]);
  }

  /**
   * `/merge`: merges at once, or when the running pipeline succeeds; only if the head is the one the caller
   * has seen.
   */
  private readonly merge: LateAction = {
    when: 'afterwards',
    kind: 'merge',
    names: ['merge'],
    apply: async ({ caller, noteable, headSha }) => {
      if (headSha === null || headSha === '')
        throw new CommandRefused(
          'Could not apply /merge: the head of the branch must be given as merge_request_diff_head_sha.',
        );
      const { subject: project } = onProject(caller);
      const iid = noteable.iid as number;
      await this.merging.merge(project, caller, { merge_request_iid: iid, sha: headSha, auto_merge: true });
      const now = await this.queries.byIid(project.id, iid);
      const said =
        now?.state === 'merged'
          ? 'Merged this merge request.'
          : 'This merge request will be merged when its pipeline succeeds.';
      return { changes: { merge: headSha }, said: [said] };
    },
  };

  /** `/rebase`. */
  private readonly rebase: LateAction = {
    when: 'afterwards',
    kind: 'rebase',
    names: ['rebase'],
    apply: async ({ caller, noteable }) => {
      await this.rebasing.begin(onProject(caller).subject, caller, noteable.iid as number, false);
      return { changes: { rebase: true }, said: ['Scheduled a rebase of the branch.'] };
    },
  };
}
