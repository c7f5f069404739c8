import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { LabelsModule } from '#core/labels/labels.module.js';
import { MilestonesModule } from '#core/milestones/milestones.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { CreateIssue } from './writes/create-issue.use-case.js';
import { IssueFinder } from './issue.finder.js';
import { IssueCopyService } from './moves/issue-copy.service.js';
import { IssueListQueries } from './lists/issue-list.queries.js';
import { IssueListsController } from './lists/issue-lists.controller.js';
import { IssueMovesController } from './moves/issue-moves.controller.js';
import { IssueRelationsService } from './writes/issue-relations.service.js';
import { IssueNoteableContribution } from './issue-noteable.contribution.js';
import { issueNoteableControllers } from './issue-noteable.controllers.js';
import { Issue } from './issue.entity.js';
import { IssuePresenter } from './issue.presenter.js';
import { IssuesController } from './issues.controller.js';
import { IssuesListener } from './issues.listener.js';
import { IssuesQueries } from './issues.queries.js';
import { IssuesService } from './issues.service.js';
import { IssuesStatisticsController } from './lists/issues-statistics.controller.js';
import { MilestoneIssuesController } from './lists/milestone-issues.controller.js';
import { CreateProductIssue } from './writes/create-product-issue.use-case.js';
import { LinkedIssueFinder } from './links/linked-issue.finder.js';
import { MoveIssue } from './moves/move-issue.use-case.js';
import { IssueCommandsContribution } from './quick-actions/issue-commands.contribution.js';
import { IssueMoveActionsService } from './quick-actions/issue-move-actions.service.js';
import { ReorderIssue } from './moves/reorder-issue.use-case.js';
import { IssuesExchange } from './exchange/issues.exchange.js';
import { IssuesImporter } from './exchange/issues.importer.js';
import { UpdateIssue } from './writes/update-issue.use-case.js';

/** Issues. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Issue]),
    IidsModule,
    InstanceModule,
    IssuablesModule,
    LabelsModule,
    MilestonesModule,
    NotesModule,
    QuickActionsModule,
    ExchangeModule,
    UsersModule,
  ],
  controllers: [
    IssuesController,
    IssueMovesController,
    IssueListsController,
    IssuesStatisticsController,
    MilestoneIssuesController,
    ...issueNoteableControllers,
  ],
  providers: [
    IssueFinder,
    IssueCommandsContribution,
    IssueCopyService,
    CreateIssue,
    IssuesImporter,
    IssueMoveActionsService,
    MoveIssue,
    ReorderIssue,
    IssueListQueries,
    IssuesQueries,
    IssueRelationsService,
    IssueNoteableContribution,
    UpdateIssue,
    IssuePresenter,
    IssuesListener,
    IssuesService,
    IssuesExchange,
    LinkedIssueFinder,
    CreateProductIssue,
  ],
  exports: [
    IssueFinder,
    CreateIssue,
    IssuesQueries,
    IssueNoteableContribution,
    UpdateIssue,
    IssuePresenter,
    IssuesService,
    LinkedIssueFinder,
    CreateProductIssue,
  ],
})
export class IssuesModule {}
