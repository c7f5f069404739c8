import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CiModule } from '#core/ci/ci.module.js';
import { MergeRequestFinder } from '../merge-request.finder.js';
import { MergeRequest } from '../merge-request.entity.js';
import { CreateAskedPipeline } from './create-asked-pipeline.use-case.js';
import { HeadPipelinesService } from './head-pipelines.service.js';
import { MergeRequestPipelinesService } from './merge-request-pipelines.service.js';
import { MergeRequestPipelinesController } from './merge-request-pipelines.controller.js';
import { MergeRequestPipelinesListener } from './merge-request-pipelines.listener.js';
import { MergeRequestPipelinesQueries } from './merge-request-pipelines.queries.js';
import { ShippedMergeRequestsService } from './shipped-merge-requests.service.js';

/** Pipelines of merge requests. */
@Module({
  imports: [TypeOrmModule.forFeature([MergeRequest]), CiModule],
  controllers: [MergeRequestPipelinesController],
  providers: [
    MergeRequestFinder,
    CreateAskedPipeline,
    HeadPipelinesService,
    MergeRequestPipelinesService,
    MergeRequestPipelinesListener,
    MergeRequestPipelinesQueries,
    ShippedMergeRequestsService,
  ],
  exports: [HeadPipelinesService, MergeRequestPipelinesService, ShippedMergeRequestsService],
})
export class MergeRequestPipelinesModule {}
