import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { CiModule } from './ci.module.js';
import { CurrentJobController } from './jobs/current-job.controller.js';
import { JobTrace } from './jobs/job-trace.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsLimit } from './jobs/jobs-limit.js';

/** Jobs, pipelines and statuses of commits over the API. */
@Module({
  imports: [CiModule, InstanceModule],
  controllers: [CurrentJobController, JobsController],
  providers: [JobTrace, JobsLimit],
})
export class CiRoutesModule {}
