import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { BackgroundJobRecord, presentBackgroundJob } from './background-job.record.js';
import {
  FindBackgroundJobParams,
  FindBackgroundQueueParams,
  ListBackgroundJobsParams,
} from './background-jobs.params.js';
import { BackgroundJobsQueries } from './background-jobs.queries.js';
import { BackgroundJobsService } from './background-jobs.service.js';
import { BackgroundQueueRecord, presentBackgroundQueue } from './background-queue.record.js';

/** Background jobs and their queues, for administrators. */
@Controller('api/v4/admin/background_jobs')
export class BackgroundJobsController {
  constructor(
    private readonly jobs: BackgroundJobsService,
    private readonly queries: BackgroundJobsQueries,
  ) {}

  @Get()
  @Access({ admin: true })
  @ReturnsList(BackgroundJobRecord)
  async list(
    @Params() { state: standing, queue }: ListBackgroundJobsParams,
    @Paged() page: Page,
  ): Promise<BackgroundJobRecord[]> {
    return (await this.queries.list({ standing, queue }, page)).map(presentBackgroundJob);
  }

  @Get('queues')
  @Access({ admin: true })
  @ReturnsList(BackgroundQueueRecord)
  async listQueues(@Paged() page: Page): Promise<BackgroundQueueRecord[]> {
    return page.slice(await this.queries.queues()).map(presentBackgroundQueue);
  }

  @Post(':job_id/retry')
  @Access({ admin: true })
  @ReturnsNothing()
  async retry(
    @CurrentActor() actor: Actor,
    @Params() { job_id: id }: FindBackgroundJobParams,
  ): Promise<void> {
    await this.jobs.retry(actor, id);
  }

  @Delete(':job_id')
  @Access({ admin: true })
  @ReturnsNothing()
  async discard(
    @CurrentActor() actor: Actor,
    @Params() { job_id: id }: FindBackgroundJobParams,
  ): Promise<void> {
    await this.jobs.discard(actor, id);
  }

  @Post('queues/:name/pause')
  @Access({ admin: true })
  @Returns(BackgroundQueueRecord, 201)
  async pause(
    @CurrentActor() actor: Actor,
    @Params() { name }: FindBackgroundQueueParams,
  ): Promise<BackgroundQueueRecord> {
    await this.jobs.pause(actor, name);
    return presentBackgroundQueue(await this.queries.queue(name));
  }

  @Post('queues/:name/resume')
  @Access({ admin: true })
  @Returns(BackgroundQueueRecord, 201)
  async resume(
    @CurrentActor() actor: Actor,
    @Params() { name }: FindBackgroundQueueParams,
  ): Promise<BackgroundQueueRecord> {
    await this.jobs.resume(actor, name);
    return presentBackgroundQueue(await this.queries.queue(name));
  }
}
