import { Controller, Delete, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { AlertIntegrationsQueries } from '#features/alerts/integrations/alert-integrations.queries.js';
import { AlertIntegrationsService } from '#features/alerts/integrations/alert-integrations.service.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import { MONITOR_SETTINGS_REMOVE, MONITOR_SETTINGS_WRITE } from '../monitor-settings.access.js';
import { Page, type PageContext } from '../page-context.js';
import { IntegrationPath, SwitchForm } from './integration-form.js';
import { IntegrationPagesService } from './integration-pages.service.js';
import { integrationPath, integrationsPath } from './paths.js';

/** Actions of Maintainers on an integration that take one button, some of them with a confirmation. */
@Controller('-/projects/:project_id/alert_integrations/:integration_id')
export class AlertIntegrationActionsController {
  constructor(
    private readonly integrations: AlertIntegrationsService,
    private readonly queries: AlertIntegrationsQueries,
    private readonly pages: IntegrationPagesService,
  ) {}

  @Put('active')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async switch(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() { integration_id: id, active }: SwitchForm,
  ): Promise<PageAnswer> {
    try {
      await this.integrations.update(project, page.actor, id, { active });
    } catch (error) {
      return this.pages.show(page, project, { role: Role.Maintainer }, id, { errors: fieldErrorsOf(error) });
    }
    return page.redirect(integrationPath(project.id, id), { flash: 'saved' });
  }

  @Get('reset')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async askToReset(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() { integration_id: id }: IntegrationPath,
  ): Promise<PageAnswer> {
    const { name } = await this.queries.find(project.id, id);
    const base = integrationPath(project.id, id);
    return page.ask('Reset this key?', {
      text: html`The present key of <strong>${name}</strong> will no longer be accepted. Tools that use it
        need the new one.`,
      action: `${base}/reset`,
      method: 'put',
      button: `Reset the key of ${name}`,
      back: base,
    });
  }

  @Put('reset')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async reset(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() { integration_id: id }: IntegrationPath,
  ): Promise<PageAnswer> {
    await this.integrations.resetKey(project, page.actor, id);
    return page.redirect(integrationPath(project.id, id), { flash: 'integration_key_reset' });
  }

  @Get('delete')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async askToRemove(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() { integration_id: id }: IntegrationPath,
  ): Promise<PageAnswer> {
    const { name } = await this.queries.find(project.id, id);
    const base = integrationPath(project.id, id);
    return page.ask('Remove this integration?', {
      text: html`Tools that send alerts to <strong>${name}</strong> can no longer send alerts. Existing alerts
        are kept. This cannot be undone.`,
      action: base,
      method: 'delete',
      button: `Remove ${name}`,
      back: base,
    });
  }

  @Delete()
  @Access(MONITOR_SETTINGS_REMOVE)
  @ReturnsPage()
  async remove(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() { integration_id: id }: IntegrationPath,
  ): Promise<PageAnswer> {
    await this.integrations.remove(project, page.actor, id);
    return page.redirect(integrationsPath(project.id), { flash: 'integration_removed' });
  }
}
