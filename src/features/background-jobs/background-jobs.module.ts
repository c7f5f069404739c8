import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { BackgroundJobsController } from './background-jobs.controller.js';
import { BackgroundJobsQueries } from './background-jobs.queries.js';
import { BackgroundJobsService } from './background-jobs.service.js';

/** Background jobs and queues for administrators. */
@Module({
  imports: [AuditModule],
  controllers: [BackgroundJobsController],
  providers: [BackgroundJobsQueries, BackgroundJobsService],
  exports: [BackgroundJobsQueries, BackgroundJobsService],
})
export class BackgroundJobsModule {}
