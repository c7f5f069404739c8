import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { GroupActivityController } from './group-activity.controller.js';
import { GroupActivityQueries } from './group-activity.queries.js';

/** What has happened in a group lately. */
@Module({
  imports: [InstanceModule],
  controllers: [GroupActivityController],
  providers: [GroupActivityQueries],
})
export class GroupAnalyticsModule {}
