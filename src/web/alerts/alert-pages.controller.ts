import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Id } from '#kernel/http/fields/scalar-fields.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Links } from '#kernel/http/links.js';
import { presentAlert } from '#features/alerts/alerts/alert.row.js';
import { AlertsQueries } from '#features/alerts/alerts/alerts.queries.js';
import { Page, type PageContext } from '../page-context.js';
import { alertView } from './alert.view.js';

/** Path parameters of an alert. */
class ShownAlertPath {
  @Id()
  alert_iid!: number;
}

/** Page of an alert, linked from incidents and emails. */
@Controller('-/projects/:project_id/alerts')
export class AlertPagesController {
  constructor(
    private readonly alerts: AlertsQueries,
    private readonly links: Links,
  ) {}

  @Get(':alert_iid')
  @Access({ page: 'user', project: Role.Developer, feature: 'monitor', from: 'project_id' })
  @ReturnsPage()
  async show(
    @Page() page: PageContext,
    @CurrentProject() { id: projectId }: ProjectSubject,
    @Params() { alert_iid: iid }: ShownAlertPath,
  ): Promise<PageAnswer> {
    const row = await this.alerts.find(projectId, iid);
    if (!row) throw notFound('Alert');
    return page.render(row.title, alertView(presentAlert(row, this.links)), { wide: true });
  }
}
