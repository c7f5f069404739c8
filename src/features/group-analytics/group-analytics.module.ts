import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { GroupActivityController } from './group-activity.controller.js';
import { GroupActivityQueries } from './group-activity.queries.js';

/** Recent activity in groups. */
@Module({
  imports: [InstanceModule],
  controllers: [GroupActivityController],
  providers: [GroupActivityQueries],
})
export class GroupAnalyticsModule {}
