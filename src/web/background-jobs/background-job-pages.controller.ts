import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { FindBackgroundQueueParams } from '#features/background-jobs/background-jobs.params.js';
import { BackgroundJobsQueries } from '#features/background-jobs/background-jobs.queries.js';
import { BackgroundJobsService } from '#features/background-jobs/background-jobs.service.js';
import { Page, type PageContext } from '../page-context.js';
import { JobFilters, ListedJobPath, withFilter } from './job-forms.js';
import { jobsView } from './jobs.view.js';
import { JOBS_PATH } from './paths.js';
import { queuesView } from './queues.view.js';

/** Page on which administrators see and manage running, waiting and failed jobs. */
@Controller('admin/background_jobs')
export class BackgroundJobPagesController {
  constructor(
    private readonly queries: BackgroundJobsQueries,
    private readonly jobs: BackgroundJobsService,
  ) {}

  @Get()
  @Access({ page: 'admin' })
  @ReturnsPage()
  async list(
    @Page() page: PageContext,
    @Params() filter: JobFilters,
    @Paged() list: ListPage,
  ): Promise<PageAnswer> {
    const { csrfToken } = page;
    const asked = { standing: filter.state || undefined, queue: filter.queue || undefined };
    const [queues, jobs] = await Promise.all([this.queries.queues(), this.queries.list(asked, list)]);
    const names = queues.map(({ queue }) => queue);
    const body = html`${queuesView(queues, csrfToken)}${jobsView(jobs, list, { filter, queues: names, csrfToken })}`;
    return page.render('Background jobs', body, { wide: true });
  }

  @Post(':job_id/retry')
  @Access({ page: 'admin' })
  @ReturnsPage()
  async retry(
    @Page() page: PageContext,
    @Params() { job_id: id, ...filter }: ListedJobPath,
  ): Promise<PageAnswer> {
    await this.jobs.retry(page.actor, id);
    return page.redirect(withFilter(filter), { flash: 'job_retried' });
  }

  @Delete(':job_id')
  @Access({ page: 'admin' })
  @ReturnsPage()
  async discard(
    @Page() page: PageContext,
    @Params() { job_id: id, ...filter }: ListedJobPath,
  ): Promise<PageAnswer> {
    await this.jobs.discard(page.actor, id);
    return page.redirect(withFilter(filter), { flash: 'job_discarded' });
  }

  @Post('queues/:name/pause')
  @Access({ page: 'admin' })
  @ReturnsPage()
  async pause(@Page() page: PageContext, @Params() { name }: FindBackgroundQueueParams): Promise<PageAnswer> {
    await this.jobs.pause(page.actor, name);
    return page.redirect(JOBS_PATH, { flash: 'queue_paused' });
  }

  @Post('queues/:name/resume')
  @Access({ page: 'admin' })
  @ReturnsPage()
  async resume(
    @Page() page: PageContext,
    @Params() { name }: FindBackgroundQueueParams,
  ): Promise<PageAnswer> {
    await this.jobs.resume(page.actor, name);
    return page.redirect(JOBS_PATH, { flash: 'queue_resumed' });
  }
}
