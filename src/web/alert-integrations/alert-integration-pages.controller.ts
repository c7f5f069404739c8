import { Controller, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { AlertIntegrationsQueries } from '#features/alerts/integrations/alert-integrations.queries.js';
import { AlertIntegrationsService } from '#features/alerts/integrations/alert-integrations.service.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import { MONITOR_SETTINGS_READ, MONITOR_SETTINGS_WRITE } from '../monitor-settings.access.js';
import { Page, type PageContext } from '../page-context.js';
import {
  blankForm,
  changeOf,
  ChangedIntegrationForm,
  creationOf,
  IntegrationForm,
  IntegrationPath,
  ProjectPath,
} from './integration-form.js';
import { integrationList } from './integration-list.view.js';
import { IntegrationPagesService, mayManage } from './integration-pages.service.js';
import { integrationPath } from './paths.js';

/**
 * Pages of a project's alert integrations: visible to those who may send test alerts, editable by
 * Maintainers.
 */
@Controller('-/projects/:project_id/alert_integrations')
export class AlertIntegrationPagesController {
  constructor(
    private readonly integrations: AlertIntegrationsService,
    private readonly queries: AlertIntegrationsQueries,
    private readonly pages: IntegrationPagesService,
  ) {}

  @Get()
  @Access(MONITOR_SETTINGS_READ)
  @ReturnsPage()
  async list(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Paged() list: ListPage,
    @Params() { project_id: id }: ProjectPath,
  ): Promise<PageAnswer> {
    const rows = await list.load(this.queries.list(id));
    const rights = { mayManage: mayManage(caller), csrfToken: page.csrfToken };
    const body = integrationList(id, rows, list, rights);
    return page.render(`Alert integrations of ${project.fullName}`, body, { wide: true });
  }

  @Get('new')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  make(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() _path: ProjectPath,
  ): PageAnswer {
    return this.pages.makeForm(page, project, blankForm());
  }

  @Post()
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async create(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() form: IntegrationForm,
  ): Promise<PageAnswer> {
    try {
      const { id } = await this.integrations.create(project, page.actor, creationOf(form));
      return page.redirect(integrationPath(project.id, id), { flash: 'integration_created' });
    } catch (error) {
      return this.pages.makeForm(page, project, form, fieldErrorsOf(error));
    }
  }

  @Get(':integration_id')
  @Access(MONITOR_SETTINGS_READ)
  @ReturnsPage()
  show(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { integration_id: id }: IntegrationPath,
  ): Promise<PageAnswer> {
    return this.pages.show(page, project, caller, id);
  }

  @Get(':integration_id/edit')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  edit(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() { integration_id: id }: IntegrationPath,
  ): Promise<PageAnswer> {
    return this.pages.changeForm(page, project, id);
  }

  @Put(':integration_id')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async change(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() form: ChangedIntegrationForm,
  ): Promise<PageAnswer> {
    const { integration_id: id } = form;
    const { type } = await this.queries.find(project.id, id);
    try {
      await this.integrations.update(project, page.actor, id, changeOf(form, type));
    } catch (error) {
      return this.pages.changeForm(page, project, id, form, fieldErrorsOf(error));
    }
    return page.redirect(integrationPath(project.id, id), { flash: 'saved' });
  }
}
