import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { IssuesModule } from '#core/issues/issues.module.js';
import { LabelsModule } from '#core/labels/labels.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { EpicAccess } from './epic-access.js';
import { EpicNoteables } from './epic-noteables.js';
import { epicTalkControllers } from './epic-talk.controllers.js';
import { Epic } from './epic.entity.js';
import { EpicAliasesController, EpicsController } from './epics.controller.js';
import { EpicQueries } from './epics.queries.js';
import { EpicsService } from './epics.service.js';
import { EpicAssigner } from './issues/epic-assigner.js';
import { EpicIssueRights } from './issues/epic-issue-rights.js';
import { EpicIssueAliasesController, EpicIssuesController } from './issues/epic-issues.controller.js';
import { EpicIssueQueries } from './issues/epic-issues.queries.js';
import { EpicIssues } from './issues/epic-issues.service.js';
import { EpicOrder } from './issues/epic-order.js';
import { EpicsTransfer } from './transfer/epics.transfer.js';
import { EpicLoad } from './transfer/load-epics.js';
import { EpicUpdate } from './update-epic.js';

/** Epics of groups, and the issues in them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Epic]),
    IidsModule,
    LabelsModule,
    NotesModule,
    IssuesModule,
    TransferModule,
  ],
  controllers: [
    EpicsController,
    EpicAliasesController,
    EpicIssuesController,
    EpicIssueAliasesController,
    ...epicTalkControllers,
  ],
  providers: [
    EpicAccess,
    EpicQueries,
    EpicsService,
    EpicUpdate,
    EpicNoteables,
    EpicIssues,
    EpicIssueQueries,
    EpicIssueRights,
    EpicOrder,
    EpicAssigner,
    EpicLoad,
    EpicsTransfer,
  ],
})
export class EpicsModule {}
