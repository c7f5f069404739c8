import { Module } from '@nestjs/common';
import { IssuesModule } from '#core/issues/issues.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ClosingIssuesService } from '../closing/closing-issues.service.js';
import { MergeRequestsModule } from '../merge-requests.module.js';
import { MergeRequestCodeFinder } from './diffs/merge-request-code.finder.js';
import { MergeRequestDiffsController } from './diffs/merge-request-diffs.controller.js';
import { MergeRequestRawDiffsController } from './diffs/merge-request-raw-diffs.controller.js';
import { MergeRequestVersionsQueries } from './diffs/merge-request-versions.queries.js';
import { ChangedMergeRequestsListener } from './following/changed-merge-requests.listener.js';
import { LookAtBranchesService } from './following/look-at-branches.service.js';
import { MergeRequestFollowingService } from './following/merge-request-following.service.js';
import { MergeRequestRefsService } from './following/merge-request-refs.service.js';
import { PushedBranchesListener } from './following/pushed-branches.listener.js';
import { SeenBranchesNotesService } from './following/seen-branches-notes.service.js';
import { MergeRequestHeadsModule } from './merge-request-heads.module.js';
import { AutoMergeService } from './merging/auto-merge/auto-merge.service.js';
import { MergeLockService } from './merging/merge-lock.service.js';
import { MergeCommandsContribution } from './merging/merge-commands.contribution.js';
import { MergeExecutionService } from './merging/merge-execution.service.js';
import { MergeMessagesService } from './merging/messages/merge-messages.service.js';
import { MergeRefsService } from './merging/merge-refs.service.js';
import { MergeMergeRequest } from './merging/merge-merge-request.use-case.js';
import { MergePolicy } from './merging/merge.policy.js';
import { MergeableQueries } from './merging/mergeable.queries.js';
import { MarkMergedService } from './merging/after-merge/mark-merged.service.js';
import { CloseMergedIssuesService } from './merging/after-merge/close-merged-issues.service.js';
import { RemoveSourceBranchService } from './merging/after-merge/remove-source-branch.service.js';
import { MergeRequestMergingController } from './merging/merge-request-merging.controller.js';
import { MergeRequestChangesController } from './diffs/merge-request-changes.controller.js';
import { MergeRequestRebasingService } from './rebasing/merge-request-rebasing.service.js';

/** Providers exported to other modules and jobs. */
const shared = [
  AutoMergeService,
  MergeExecutionService,
  MergeRequestFollowingService,
  MergeMergeRequest,
  MergeRequestRebasingService,
  CloseMergedIssuesService,
  RemoveSourceBranchService,
];

/** The code of merge requests: versions, diffs, merging, rebasing. */
@Module({
  imports: [
    RepositoriesModule,
    ProtectionModule,
    NotesModule,
    IssuesModule,
    MergeRequestsModule,
    MergeRequestHeadsModule,
    QuickActionsModule,
  ],
  controllers: [
    MergeRequestChangesController,
    MergeRequestDiffsController,
    MergeRequestMergingController,
    MergeRequestRawDiffsController,
  ],
  providers: [
    ...shared,
    ChangedMergeRequestsListener,
    ClosingIssuesService,
    MergeLockService,
    LookAtBranchesService,
    MergeCommandsContribution,
    MergeMessagesService,
    MergeRefsService,
    MergePolicy,
    MergeRequestCodeFinder,
    MergeRequestRefsService,
    MergeRequestVersionsQueries,
    MergeableQueries,
    MarkMergedService,
    PushedBranchesListener,
    SeenBranchesNotesService,
  ],
  exports: shared,
})
export class MergeRequestCodeModule {}
