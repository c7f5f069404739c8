import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { forbidden } from '#kernel/http/errors.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { ApplicationsQueries } from '#core/oauth-tokens/applications/applications.queries.js';
import { Page, type PageContext } from '../page-context.js';
import { ApplicationForm, ApplicationPath, blankForm, ChangedApplicationForm } from './application-form.js';
import { ApplicationPagesService } from './application-pages.service.js';
import { applicationTable } from './application-views.js';
import { AuthorizedApplicationsQueries } from './authorized-applications.queries.js';
import { authorizedTable } from './authorized-table.js';
import { INSTANCE, OWN } from './application-section.js';

/** Pages of the applications that a user has registered, next to those that may act for them. */
@Controller(['-/profile/applications', '-/user_settings/applications', 'oauth/applications'])
export class OwnApplicationsController {
  constructor(
    private readonly settings: SettingsService,
    private readonly queries: ApplicationsQueries,
    private readonly authorized: AuthorizedApplicationsQueries,
    private readonly pages: ApplicationPagesService,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  async list(@Page() page: PageContext, @Paged() list: ListPage): Promise<PageAnswer> {
    const { id, admin } = page.actor;
    const rows = await list.load(this.queries.ofOwner(id));
    const { user_oauth_applications: mayCreate } = this.settings.values;
    const body = html`<p>
        Applications use this service to sign users in, or act on behalf of users who authorize them.
      </p>
      <div class="actions">
        ${mayCreate && html`<a class="button" href="${OWN.path}/new">New application</a>`}
        ${admin && html`<a class="button secondary" href="${INSTANCE.path}">${INSTANCE.title}</a>`}
      </div>
      <h2>Your applications</h2>
      ${applicationTable(OWN, rows, list)}
      <h2>Authorized applications</h2>
      ${authorizedTable(await this.authorized.list(id))}`;
    return page.render(OWN.title, body, { wide: true });
  }

  @Get('new')
  @Access({ page: 'user' })
  @ReturnsPage()
  make(@Page() page: PageContext): PageAnswer {
    this.assertMayCreate();
    return this.pages.makeForm(page, OWN, blankForm());
  }

  @Post()
  @Access({ page: 'user' })
  @ReturnsPage()
  create(@Page() page: PageContext, @Params() form: ApplicationForm): Promise<PageAnswer> {
    this.assertMayCreate();
    return this.pages.create(page, OWN, form);
  }

  @Get(':id')
  @Access({ page: 'user' })
  @ReturnsPage()
  show(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.show(page, OWN, id);
  }

  @Get(':id/edit')
  @Access({ page: 'user' })
  @ReturnsPage()
  edit(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.edit(page, OWN, id);
  }

  @Put(':id')
  @Access({ page: 'user' })
  @ReturnsPage()
  update(@Page() page: PageContext, @Params() form: ChangedApplicationForm): Promise<PageAnswer> {
    return this.pages.update(page, OWN, form.id, form);
  }

  @Patch(':id')
  @Access({ page: 'user' })
  @ReturnsPage()
  patch(@Page() page: PageContext, @Params() form: ChangedApplicationForm): Promise<PageAnswer> {
    return this.pages.update(page, OWN, form.id, form);
  }

  @Get(':id/renew')
  @Access({ page: 'user' })
  @ReturnsPage()
  askToRenew(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.askToRenew(page, OWN, id);
  }

  @Put(':id/renew')
  @Access({ page: 'user' })
  @ReturnsPage()
  renew(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.renew(page, OWN, id);
  }

  @Get(':id/delete')
  @Access({ page: 'user' })
  @ReturnsPage()
  askToRemove(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.askToRemove(page, OWN, id);
  }

  @Delete(':id')
  @Access({ page: 'user' })
  @ReturnsPage()
  remove(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    return this.pages.remove(page, OWN, id);
  }

  /** @throws 403 if the instance does not let users register applications */
  private assertMayCreate(): void {
    if (!this.settings.values.user_oauth_applications)
      throw forbidden('Users cannot register applications here');
  }
}
