import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { IssuesModule } from '#core/issues/issues.module.js';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { LabelsModule } from '#core/labels/labels.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { EpicChildOrderService } from './children/epic-child-order.service.js';
import { EpicChildAliasesController, EpicChildrenController } from './children/epic-children.controller.js';
import { EpicChildrenQueries } from './children/epic-children.queries.js';
import { EpicChildrenService } from './children/epic-children.service.js';
import { EpicTreeService } from './children/epic-tree.service.js';
import { EpicFinder } from './visibility/epic.finder.js';
import { EpicNoteableContribution } from './visibility/epic-noteable.contribution.js';
import { epicNoteableControllers } from './visibility/epic-noteable.controllers.js';
import { EpicPresenter } from './records/epic.presenter.js';
import { Epic } from './epic.entity.js';
import { EpicAliasesController, EpicsController } from './epics.controller.js';
import { EpicsQueries } from './epics.queries.js';
import { EpicsService } from './epics.service.js';
import { MovedEpicsListener } from './moved-epics.listener.js';
import { EpicIssuePolicy } from './issues/epic-issue.policy.js';
import { EpicIssueAliasesController, EpicIssuesController } from './issues/epic-issues.controller.js';
import { EpicIssuesQueries } from './issues/epic-issues.queries.js';
import { EpicIssuesService } from './issues/epic-issues.service.js';
import { EpicIssueOrderService } from './issues/epic-issue-order.service.js';
import { EpicCommandsContribution } from './quick-actions/epic-commands.contribution.js';
import { IssueEpicCommandsContribution } from './quick-actions/issue-epic-commands.contribution.js';
import { EpicsExchange } from './exchange/epics.exchange.js';
import { EpicsImporter } from './exchange/epics.importer.js';
import { UpdateEpic } from './update-epic.use-case.js';

/** Epics of groups, and the issues in them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Epic]),
    IidsModule,
    InstanceModule,
    IssuablesModule,
    LabelsModule,
    NotesModule,
    QuickActionsModule,
    IssuesModule,
    ExchangeModule,
  ],
  controllers: [
    EpicsController,
    EpicAliasesController,
    EpicIssuesController,
    EpicIssueAliasesController,
    EpicChildrenController,
    EpicChildAliasesController,
    ...epicNoteableControllers,
  ],
  providers: [
    EpicFinder,
    EpicsQueries,
    EpicsService,
    UpdateEpic,
    EpicNoteableContribution,
    EpicIssuesService,
    EpicIssuesQueries,
    EpicIssuePolicy,
    EpicIssueOrderService,
    EpicPresenter,
    EpicTreeService,
    EpicChildrenService,
    EpicChildrenQueries,
    EpicChildOrderService,
    EpicCommandsContribution,
    IssueEpicCommandsContribution,
    EpicsImporter,
    EpicsExchange,
    MovedEpicsListener,
  ],
  exports: [EpicIssuesService],
})
export class EpicsModule {}
