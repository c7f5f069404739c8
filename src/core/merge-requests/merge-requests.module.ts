import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { IssuesModule } from '#core/issues/issues.module.js';
import { LabelsModule } from '#core/labels/labels.module.js';
import { MilestonesModule } from '#core/milestones/milestones.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { CodeModule } from '#core/repositories/code.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { AuditModule } from '#core/audit/audit.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { ApprovalRulesController } from './approvals/rules/approval-rules.controller.js';
import { ApprovalRulesService } from './approvals/rules/approval-rules.service.js';
import { ApprovalsQueries } from './approvals/approvals.queries.js';
import { ApprovalSettingsService } from './approvals/settings/approval-settings.service.js';
import { MergeRequestApprovalsController } from './approvals/merge-request-approvals.controller.js';
import { MergeRequestApprovalsService } from './approvals/merge-request-approvals.service.js';
import { MergeRequestCommittersService } from './approvals/merge-request-committers.service.js';
import { OwnApprovalRulesService } from './approvals/rules/own-approval-rules.service.js';
import { OwnApprovalRulesController } from './approvals/rules/own-approval-rules.controller.js';
import { ProjectApprovalsController } from './approvals/settings/project-approvals.controller.js';
import { ResetApprovalsListener } from './approvals/reset-approvals.listener.js';
import { ClosingIssuesService } from './closing/closing-issues.service.js';
import { MergeRequestHeadsModule } from './code/merge-request-heads.module.js';
import { CreateMergeRequest } from './writes/create-merge-request.use-case.js';
import { DivergedCommitsService } from './records/diverged-commits.service.js';
import { MergeRequestFinder } from './merge-request.finder.js';
import { MergeRequestChangesService } from './writes/merge-request-changes.service.js';
import { CollaborationQueries } from './writes/collaboration.queries.js';
import { MergeRequestConflictsRules } from './writes/merge-request-conflicts.rules.js';
import { MergeRequestDetailPresenter } from './records/merge-request-detail.presenter.js';
import { MergeRequestListsController } from './lists/merge-request-lists.controller.js';
import { RecheckMergeStatuses } from './lists/recheck-merge-statuses.use-case.js';
import { MergeRequestListQueries } from './lists/merge-request-list.queries.js';
import { MergeRequestRelationsService } from './writes/merge-request-relations.service.js';
import { MergeRequestNoteableContribution } from './merge-request-noteable.contribution.js';
import { MergeRequestStateService } from './merge-request-state.service.js';
import { mergeRequestNoteableControllers } from './merge-request-noteable.controllers.js';
import { MergeRequestTargetFinder } from './writes/merge-request-target.finder.js';
import { MergeRequest } from './merge-request.entity.js';
import { MergeRequestsListener } from './merge-requests.listener.js';
import { CommitMergeRequestsController } from './relations/commit-merge-requests.controller.js';
import { MergeRequestIssuesController } from './relations/merge-request-issues.controller.js';
import { MilestoneMergeRequestsController } from './relations/milestone-merge-requests.controller.js';
import { MergeRequestsController } from './merge-requests.controller.js';
import { MergeRequestsQueries } from './merge-requests.queries.js';
import { MergeRequestPipelinesQueries } from './pipelines/merge-request-pipelines.queries.js';
import { MergeRequestCommandsContribution } from './quick-actions/merge-request-commands.contribution.js';
import { DeleteMergeRequest } from './writes/delete-merge-request.use-case.js';
import { MergeRequestsImporter } from './exchange/merge-requests.importer.js';
import { MergeRequestsExchange } from './exchange/merge-requests.exchange.js';
import { UpdateMergeRequest } from './writes/update-merge-request.use-case.js';

/** Merge requests: their records, lists and rules. */
@Module({
  imports: [
    AuditModule,
    CodeModule,
    TypeOrmModule.forFeature([MergeRequest]),
    IidsModule,
    IssuablesModule,
    IssuesModule,
    LabelsModule,
    MergeRequestHeadsModule,
    MilestonesModule,
    NotesModule,
    ProjectsModule,
    ProtectionModule,
    QuickActionsModule,
    SignInModule,
    ExchangeModule,
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
    ...mergeRequestNoteableControllers,
  ],
  providers: [
    ApprovalsQueries,
    ApprovalRulesService,
    ApprovalSettingsService,
    MergeRequestApprovalsService,
    MergeRequestCommittersService,
    OwnApprovalRulesService,
    MergeRequestsListener,
    ResetApprovalsListener,
    ClosingIssuesService,
    DivergedCommitsService,
    MergeRequestFinder,
    MergeRequestChangesService,
    MergeRequestCommandsContribution,
    CollaborationQueries,
    MergeRequestConflictsRules,
    CreateMergeRequest,
    MergeRequestDetailPresenter,
    MergeRequestListQueries,
    RecheckMergeStatuses,
    MergeRequestPipelinesQueries,
    MergeRequestsQueries,
    MergeRequestRelationsService,
    DeleteMergeRequest,
    MergeRequestNoteableContribution,
    MergeRequestStateService,
    MergeRequestTargetFinder,
    UpdateMergeRequest,
    MergeRequestsImporter,
    MergeRequestsExchange,
  ],
  exports: [
    ClosingIssuesService,
    CollaborationQueries,
    MergeRequestFinder,
    MergeRequestDetailPresenter,
    MergeRequestListQueries,
    MergeRequestsQueries,
    MergeRequestStateService,
  ],
})
export class MergeRequestsModule {}
