import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { IssuesModule } from '#core/issues/issues.module.js';
import { LabelsModule } from '#core/labels/labels.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { CodeModule } from '#core/repositories/code.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { ApprovalRulesController } from './approvals/rules/approval-rules.controller.js';
import { ApprovalRules } from './approvals/rules/approval-rules.js';
import { ApprovalsQueries } from './approvals/approvals.queries.js';
import { ApprovalSettingsService } from './approvals/settings/approval-settings.js';
import { MergeRequestApprovalsController } from './approvals/merge-request-approvals.controller.js';
import { MergeRequestApprovals } from './approvals/merge-request-approvals.js';
import { MergeRequestCommitters } from './approvals/merge-request-committers.js';
import { OwnApprovalRules } from './approvals/rules/own-approval-rules.js';
import { OwnApprovalRulesController } from './approvals/rules/own-approval-rules.controller.js';
import { ProjectApprovalsController } from './approvals/settings/project-approvals.controller.js';
import { ResetApprovalsListener } from './approvals/reset-approvals.listener.js';
import { ClosingIssues } from './closing/closing-issues.js';
import { MergeRequestHeadsModule } from './code/merge-request-heads.module.js';
import { MergeRequestCreation } from './writes/create-merge-request.js';
import { DivergedCommits } from './records/diverged-commits.js';
import { MergeRequestAccess } from './merge-request-access.js';
import { MergeRequestChanges } from './writes/merge-request-changes.js';
import { MergeRequestCollaboration } from './writes/merge-request-collaboration.js';
import { MergeRequestConflicts } from './writes/merge-request-conflicts.js';
import { MergeRequestDetails } from './records/merge-request-details.js';
import { MergeRequestListsController } from './lists/merge-request-lists.controller.js';
import { MergeRequestLists } from './lists/merge-request-lists.js';
import { MergeRequestRelations } from './writes/merge-request-relations.js';
import { MergeRequestSource } from './merge-request-source.js';
import { MergeRequestStates } from './merge-request-states.js';
import { mergeRequestTalkControllers } from './merge-request-talk.controllers.js';
import { MergeRequestTargets } from './writes/merge-request-target.js';
import { MergeRequest } from './merge-request.entity.js';
import { MergeRequestsListener } from './merge-requests.listener.js';
import { CommitMergeRequestsController } from './relations/commit-merge-requests.controller.js';
import { MergeRequestIssuesController } from './relations/merge-request-issues.controller.js';
import { MilestoneMergeRequestsController } from './relations/milestone-merge-requests.controller.js';
import { MergeRequestsController } from './merge-requests.controller.js';
import { MergeRequestsQueries } from './merge-requests.queries.js';
import { MergeRequestPipelinesQueries } from './pipelines/merge-request-pipelines.queries.js';
import { MergeRequestCommands } from './quick-actions/merge-request-commands.js';
import { MergeRequestRemoval } from './writes/remove-merge-request.js';
import { MergeRequestsImport } from './transfer/merge-requests-import.js';
import { MergeRequestsTransfer } from './transfer/merge-requests.transfer.js';
import { MergeRequestUpdate } from './writes/update-merge-request.js';

/** Merge requests: their records, lists and rules. */
@Module({
  imports: [
    CodeModule,
    TypeOrmModule.forFeature([MergeRequest]),
    IidsModule,
    IssuablesModule,
    IssuesModule,
    LabelsModule,
    MergeRequestHeadsModule,
    NotesModule,
    ProjectsModule,
    ProtectionModule,
    QuickActionsModule,
    SignInModule,
    TransferModule,
    UsersModule,
  ],
  controllers: [
    ApprovalRulesController,
    CommitMergeRequestsController,
    MergeRequestListsController,
    MergeRequestsController,
    MergeRequestApprovalsController,
    MergeRequestIssuesController,
    MilestoneMergeRequestsController,
    OwnApprovalRulesController,
    ProjectApprovalsController,
    ...mergeRequestTalkControllers,
  ],
  providers: [
    ApprovalsQueries,
    ApprovalRules,
    ApprovalSettingsService,
    MergeRequestApprovals,
    MergeRequestCommitters,
    OwnApprovalRules,
    MergeRequestsListener,
    ResetApprovalsListener,
    ClosingIssues,
    DivergedCommits,
    MergeRequestAccess,
    MergeRequestChanges,
    MergeRequestCommands,
    MergeRequestCollaboration,
    MergeRequestConflicts,
    MergeRequestCreation,
    MergeRequestDetails,
    MergeRequestLists,
    MergeRequestPipelinesQueries,
    MergeRequestsQueries,
    MergeRequestRelations,
    MergeRequestRemoval,
    MergeRequestSource,
    MergeRequestStates,
    MergeRequestTargets,
    MergeRequestUpdate,
    MergeRequestsImport,
    MergeRequestsTransfer,
  ],
  exports: [
    ClosingIssues,
    MergeRequestAccess,
    MergeRequestDetails,
    MergeRequestLists,
    MergeRequestsQueries,
    MergeRequestStates,
  ],
})
export class MergeRequestsModule {}
