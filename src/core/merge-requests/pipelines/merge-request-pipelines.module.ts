import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CiModule } from '#core/ci/ci.module.js';
import { MergeRequestFinder } from '../merge-request.finder.js';
import { MergeRequest } from '../merge-request.entity.js';
import { AskedPipelines } from './asked-pipelines.js';
import { HeadPipelines } from './head-pipelines.js';
import { MergeRequestPipelines } from './merge-request-pipelines.js';
import { MergeRequestPipelinesController } from './merge-request-pipelines.controller.js';
import { MergeRequestPipelinesListener } from './merge-request-pipelines.listener.js';
import { MergeRequestPipelinesQueries } from './merge-request-pipelines.queries.js';
import { ShippedMergeRequests } from './shipped-merge-requests.js';

/** Pipelines of merge requests. */
@Module({
  imports: [TypeOrmModule.forFeature([MergeRequest]), CiModule],
  controllers: [MergeRequestPipelinesController],
  providers: [
    MergeRequestFinder,
    AskedPipelines,
    HeadPipelines,
    MergeRequestPipelines,
    MergeRequestPipelinesListener,
    MergeRequestPipelinesQueries,
    ShippedMergeRequests,
  ],
  exports: [HeadPipelines, MergeRequestPipelines, ShippedMergeRequests],
})
export class MergeRequestPipelinesModule {}
