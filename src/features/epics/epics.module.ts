import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { IssuesModule } from '#core/issues/issues.module.js';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { LabelsModule } from '#core/labels/labels.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { EpicChildOrder } from './children/epic-child-order.js';
import { EpicChildAliasesController, EpicChildrenController } from './children/epic-children.controller.js';
import { EpicChildrenQueries } from './children/epic-children.queries.js';
import { EpicChildrenService } from './children/epic-children.service.js';
import { EpicTree } from './children/epic-tree.js';
import { EpicAccess } from './visibility/epic-access.js';
import { EpicNoteables } from './visibility/epic-noteables.js';
import { epicTalkControllers } from './visibility/epic-talk.controllers.js';
import { EpicViews } from './records/epic-views.js';
import { Epic } from './epic.entity.js';
import { EpicAliasesController, EpicsController } from './epics.controller.js';
import { EpicsQueries } from './epics.queries.js';
import { EpicsService } from './epics.service.js';
import { EpicsLeftListener } from './epics-left.listener.js';
import { EpicAssigner } from './issues/epic-assigner.js';
import { EpicIssueRights } from './issues/epic-issue-rights.js';
import { EpicIssueAliasesController, EpicIssuesController } from './issues/epic-issues.controller.js';
import { EpicIssuesQueries } from './issues/epic-issues.queries.js';
import { EpicIssuesService } from './issues/epic-issues.service.js';
import { EpicIssueOrder } from './issues/epic-issue-order.js';
import { EpicCommands } from './quick-actions/epic-commands.js';
import { IssueEpicCommands } from './quick-actions/issue-epic-commands.js';
import { EpicsTransfer } from './transfer/epics.transfer.js';
import { EpicLoad } from './transfer/load-epics.js';
import { EpicUpdate } from './update-epic.js';

/** Epics of groups, and the issues in them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Epic]),
    IidsModule,
    IssuablesModule,
    LabelsModule,
    NotesModule,
    QuickActionsModule,
    IssuesModule,
    TransferModule,
  ],
  controllers: [
    EpicsController,
    EpicAliasesController,
    EpicIssuesController,
    EpicIssueAliasesController,
    EpicChildrenController,
    EpicChildAliasesController,
    ...epicTalkControllers,
  ],
  providers: [
    EpicAccess,
    EpicsQueries,
    EpicsService,
    EpicUpdate,
    EpicNoteables,
    EpicIssuesService,
    EpicIssuesQueries,
    EpicIssueRights,
    EpicIssueOrder,
    EpicViews,
    EpicTree,
    EpicChildrenService,
    EpicChildrenQueries,
    EpicChildOrder,
    EpicAssigner,
    EpicCommands,
    IssueEpicCommands,
    EpicLoad,
    EpicsTransfer,
    EpicsLeftListener,
  ],
})
export class EpicsModule {}
