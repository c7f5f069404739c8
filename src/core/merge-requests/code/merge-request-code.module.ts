import { Module } from '@nestjs/common';
import { IssuesModule } from '#core/issues/issues.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ClosingIssues } from '../closing/closing-issues.js';
import { MergeRequestsModule } from '../merge-requests.module.js';
import { MergeRequestCodeReading } from './diffs/merge-request-code.js';
import { MergeRequestDiffsController } from './diffs/merge-request-diffs.controller.js';
import { MergeRequestRawDiffsController } from './diffs/merge-request-raw-diffs.controller.js';
import { MergeRequestVersionsQueries } from './diffs/merge-request-versions.queries.js';
import { ChangedMergeRequestsListener } from './following/changed-merge-requests.listener.js';
import { LookAtBranches } from './following/look-at-branches.js';
import { MergeRequestFollowing } from './following/merge-request-following.js';
import { MergeRequestRefs } from './following/merge-request-refs.js';
import { PushedBranchesListener } from './following/pushed-branches.listener.js';
import { SeenBranchesNotes } from './following/seen-branches-notes.js';
import { MergeRequestHeadsModule } from './merge-request-heads.module.js';
import { AutoMerges } from './merging/auto-merge/auto-merges.js';
import { LockedMergeRequests } from './merging/locked-merge-requests.js';
import { MergeCommands } from './merging/merge-commands.js';
import { MergeExecution } from './merging/merge-execution.js';
import { MergeMessagesWriter } from './merging/messages/merge-messages.js';
import { MergeRefs } from './merging/merge-refs.js';
import { MergeRequestMerging } from './merging/merge-request-merging.js';
import { MergeRights } from './merging/merge-rights.js';
import { MergeableQueries } from './merging/mergeable-merge-request.js';
import { MergedMergeRequests } from './merging/after-merge/merged-merge-requests.js';
import { MergedIssues } from './merging/after-merge/merged-issues.js';
import { MergedSourceBranches } from './merging/after-merge/merged-source-branches.js';
import { MergeRequestMergingController } from './merging/merge-request-merging.controller.js';
import { MergeRequestChangesController } from './diffs/merge-request-changes.controller.js';
import { MergeRequestRebasing } from './rebasing/merge-request-rebasing.js';

/** What modules above and jobs use. */
const shared = [
  AutoMerges,
  MergeExecution,
  MergeRequestFollowing,
  MergeRequestMerging,
  MergeRequestRebasing,
  MergedIssues,
  MergedSourceBranches,
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
    ClosingIssues,
    LockedMergeRequests,
    LookAtBranches,
    MergeCommands,
    MergeMessagesWriter,
    MergeRefs,
    MergeRights,
    MergeRequestCodeReading,
    MergeRequestRefs,
    MergeRequestVersionsQueries,
    MergeableQueries,
    MergedMergeRequests,
    PushedBranchesListener,
    SeenBranchesNotes,
  ],
  exports: shared,
})
export class MergeRequestCodeModule {}
