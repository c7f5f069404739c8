import { Module } from '@nestjs/common';
import { BackgroundJobsModule } from '#features/background-jobs/background-jobs.module.js';
import { BackgroundJobPagesController } from './background-job-pages.controller.js';

/** Module of the administrators' page of background jobs. */
@Module({ imports: [BackgroundJobsModule], controllers: [BackgroundJobPagesController] })
export class BackgroundJobPagesModule {}
