import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '#core/groups/groups.module.js';
import { SubscriptionsModule } from '#core/subscriptions/subscriptions.module.js';
import { LabelsLeftListener } from './promotion/labels-left.listener.js';
import { LabelLinks } from './links/label-links.js';
import { LabelNames } from './links/label-names.js';
import { LabelPriorities } from './links/label-priorities.js';
import { LabelPromotionController } from './promotion/label-promotion.controller.js';
import { LabelSubscriptions } from './links/label-subscriptions.js';
import { Label } from './label.entity.js';
import { GroupLabelsController, ProjectLabelsController } from './labels.controllers.js';
import { LabelsQueries } from './labels.queries.js';
import { LabelsService } from './labels.service.js';
import { PromoteLabel } from './promotion/promote-label.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { LabelsTransfer } from './transfer/labels.transfer.js';

/** Labels of projects and groups. */
@Module({
  imports: [TypeOrmModule.forFeature([Label]), GroupsModule, SubscriptionsModule, TransferModule],
  controllers: [LabelPromotionController, ProjectLabelsController, GroupLabelsController],
  providers: [
    LabelLinks,
    LabelNames,
    LabelPriorities,
    LabelsQueries,
    LabelsService,
    LabelSubscriptions,
    LabelsLeftListener,
    LabelsTransfer,
    PromoteLabel,
  ],
  exports: [LabelNames],
})
export class LabelsModule {}
