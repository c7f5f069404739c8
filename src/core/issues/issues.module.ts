import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { LabelsModule } from '#core/labels/labels.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { IssueCreation } from './writes/create-issue.js';
import { IssueAccess } from './issue-access.js';
import { IssueCopy } from './moves/issue-copy.js';
import { IssueEpics } from './epics/issue-epics.js';
import { IssueListsController } from './lists/issue-lists.controller.js';
import { IssueMovesController } from './moves/issue-moves.controller.js';
import { IssueRelations } from './writes/issue-relations.js';
import { IssueSource } from './issue-source.js';
import { issueTalkControllers } from './issue-talk.controllers.js';
import { Issue } from './issue.entity.js';
import { IssueViews } from './issue-views.js';
import { IssuesController } from './issues.controller.js';
import { IssuesListener } from './issues.listener.js';
import { IssuesQueries } from './issues.queries.js';
import { IssuesService } from './issues.service.js';
import { IssuesStatisticsController } from './lists/issues-statistics.controller.js';
import { MilestoneIssuesController } from './lists/milestone-issues.controller.js';
import { ProductIssues } from './writes/product-issues.js';
import { LinkedIssues } from './links/linked-issues.js';
import { IssueMoves } from './moves/move-issue.js';
import { IssueCommands } from './quick-actions/issue-commands.js';
import { IssueMoveActions } from './quick-actions/issue-move-actions.js';
import { IssueOrder } from './moves/reorder-issue.js';
import { IssuesTransfer } from './transfer/issues.transfer.js';
import { IssueLoad } from './transfer/load-issues.js';
import { IssueUpdate } from './writes/update-issue.js';

/** Issues. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Issue]),
    IidsModule,
    InstanceModule,
    IssuablesModule,
    LabelsModule,
    NotesModule,
    QuickActionsModule,
    TransferModule,
    UsersModule,
  ],
  controllers: [
    IssuesController,
    IssueMovesController,
    IssueListsController,
    IssuesStatisticsController,
    MilestoneIssuesController,
    ...issueTalkControllers,
  ],
  providers: [
    IssueAccess,
    IssueCommands,
    IssueCopy,
    IssueCreation,
    IssueEpics,
    IssueLoad,
    IssueMoveActions,
    IssueMoves,
    IssueOrder,
    IssuesQueries,
    IssueRelations,
    IssueSource,
    IssueUpdate,
    IssueViews,
    IssuesListener,
    IssuesService,
    IssuesTransfer,
    LinkedIssues,
    ProductIssues,
  ],
  exports: [
    IssueAccess,
    IssueCreation,
    IssueEpics,
    IssuesQueries,
    IssueSource,
    IssueUpdate,
    IssueViews,
    IssuesService,
    LinkedIssues,
    ProductIssues,
  ],
})
export class IssuesModule {}
