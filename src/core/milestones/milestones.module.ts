import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '#core/groups/groups.module.js';
import { IidsModule } from '#core/iids/iids.module.js';
import { MilestoneActivityService } from './milestone-activity.service.js';
import { MilestoneLinksService } from './milestone-links.service.js';
import { MilestonePromotionController } from './promotion/milestone-promotion.controller.js';
import { Milestone } from './milestone.entity.js';
import { MovedMilestonesListener } from './promotion/moved-milestones.listener.js';
import { GroupMilestonesController, ProjectMilestonesController } from './milestones.controllers.js';
import { MilestonesQueries } from './milestones.queries.js';
import { MilestonesService } from './milestones.service.js';
import { PromoteMilestone } from './promotion/promote-milestone.use-case.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { MilestonesExchange } from './exchange/milestones.exchange.js';

/** Milestones of projects and groups. */
@Module({
  imports: [TypeOrmModule.forFeature([Milestone]), GroupsModule, IidsModule, ExchangeModule],
  controllers: [MilestonePromotionController, ProjectMilestonesController, GroupMilestonesController],
  providers: [
    MilestoneActivityService,
    MilestoneLinksService,
    MilestonesQueries,
    MovedMilestonesListener,
    MilestonesService,
    MilestonesExchange,
    PromoteMilestone,
  ],
  exports: [MilestonesQueries],
})
export class MilestonesModule {}
