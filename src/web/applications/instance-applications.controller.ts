import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ApplicationsQueries } from '#core/oauth-tokens/applications/applications.queries.js';
import { Page, type PageContext } from '../page-context.js';
import { ApplicationForm, ApplicationPath, blankForm, ChangedApplicationForm } from './application-form.js';
import { ApplicationPagesService } from './application-pages.service.js';
import { applicationTable } from './application-views.js';
import { INSTANCE } from './application-section.js';

/** Pages of the instance-wide applications, trusted ones included, for administrators. */
@Controller('admin/applications')
export class InstanceApplicationsController {
  constructor(
    private readonly queries: ApplicationsQueries,
    private readonly pages: ApplicationPagesService,
  ) {}

  @Get()
  @Access({ page: 'admin' })
  @ReturnsPage()
  async list(@Page() page: PageContext, @Paged() list: ListPage): Promise<PageAnswer> {
    const rows = await list.load(this.queries.ofInstance());
    const body = html`<p>Instance-wide applications have no owner and are available to all users.</p>
      <div class="actions"><a class="button" href="${INSTANCE.path}/new">New application</a></div>
      <h2>Present applications</h2>
      ${applicationTable(INSTANCE, rows, list)}`;
    return page.render(INSTANCE.title, body, { wide: true });
  }

  @Get('new')
  @Access({ page: 'admin' })
  @ReturnsPage()
  make(@Page() page: PageContext): PageAnswer {
    return this.pages.makeForm(page, INSTANCE, blankForm());
  }

  @Post()
  @Access({ page: 'admin' })
  @ReturnsPage()
  create(@Page() page: PageContext, @Params() form: ApplicationForm): Promise<PageAnswer> {
    return this.pages.create(page, INSTANCE, form);
  }

  @Get(':id')
  @Access({ page: 'admin' })
  @ReturnsPage()
  show(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.show(page, INSTANCE, id);
  }

  @Get(':id/edit')
  @Access({ page: 'admin' })
  @ReturnsPage()
  edit(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.edit(page, INSTANCE, id);
  }

  @Put(':id')
  @Access({ page: 'admin' })
  @ReturnsPage()
  update(@Page() page: PageContext, @Params() form: ChangedApplicationForm): Promise<PageAnswer> {
    return this.pages.update(page, INSTANCE, form.id, form);
  }

  @Get(':id/renew')
  @Access({ page: 'admin' })
  @ReturnsPage()
  askToRenew(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.askToRenew(page, INSTANCE, id);
  }

  @Put(':id/renew')
  @Access({ page: 'admin' })
  @ReturnsPage()
  renew(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.renew(page, INSTANCE, id);
  }

  @Get(':id/delete')
  @Access({ page: 'admin' })
  @ReturnsPage()
  askToRemove(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.askToRemove(page, INSTANCE, id);
  }

  @Delete(':id')
  @Access({ page: 'admin' })
  @ReturnsPage()
  remove(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.remove(page, INSTANCE, id);
  }
}
