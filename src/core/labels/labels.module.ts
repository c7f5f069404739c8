import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '#core/groups/groups.module.js';
import { SubscriptionsModule } from '#core/subscriptions/subscriptions.module.js';
import { MovedLabelsListener } from './promotion/moved-labels.listener.js';
import { LabelLinksService } from './links/label-links.service.js';
import { LabelNamesService } from './links/label-names.service.js';
import { LabelPrioritiesService } from './links/label-priorities.service.js';
import { LabelPromotionController } from './promotion/label-promotion.controller.js';
import { LabelSubscriptionsService } from './links/label-subscriptions.service.js';
import { Label } from './label.entity.js';
import { GroupLabelsController, ProjectLabelsController } from './labels.controllers.js';
import { LabelsQueries } from './labels.queries.js';
import { LabelsService } from './labels.service.js';
import { PromoteLabel } from './promotion/promote-label.use-case.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { LabelsExchange } from './exchange/labels.exchange.js';

/** Labels of projects and groups. */
@Module({
  imports: [TypeOrmModule.forFeature([Label]), GroupsModule, SubscriptionsModule, ExchangeModule],
  controllers: [LabelPromotionController, ProjectLabelsController, GroupLabelsController],
  providers: [
    LabelLinksService,
    LabelNamesService,
    LabelPrioritiesService,
    LabelsQueries,
    LabelsService,
    LabelSubscriptionsService,
    MovedLabelsListener,
    LabelsExchange,
    PromoteLabel,
  ],
  exports: [LabelNamesService],
})
export class LabelsModule {}
