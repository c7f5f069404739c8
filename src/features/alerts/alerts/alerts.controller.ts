import { Controller, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type UserCaller,
  type ProjectSubject,
  CurrentCaller,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { TakenAlertRecord } from '../intake/taken-alert.record.js';
import { presentAlert } from './alert.row.js';
import { AlertRecord } from './alert.record.js';
import { FindAlertParams, ListAlertsParams, UpdateAlertParams } from './alerts.params.js';
import { AlertsQueries } from './alerts.queries.js';
import { ReplayAlert } from './replay-alert.use-case.js';
import { UpdateAlert } from './update-alert.use-case.js';

/** Alerts of a project for their handlers (`ops.md` 5.1). */
@Controller('api/v4/projects/:id/alert_management_alerts')
export class AlertsController {
  constructor(
    private readonly queries: AlertsQueries,
    private readonly updates: UpdateAlert,
    private readonly replays: ReplayAlert,
    private readonly links: Links,
  ) {}

  @Get()
  @Access({ project: Role.Developer, feature: 'monitor' })
  @ReturnsList(AlertRecord)
  async list(
    @CurrentProject() { id }: ProjectSubject,
    @Params() params: ListAlertsParams,
    @Paged() page: Page,
  ): Promise<AlertRecord[]> {
    const rows = await page.load(this.queries.list(id, params));
    return rows.map((row) => presentAlert(row, this.links));
  }

  @Get(':alert_iid')
  @Access({ project: Role.Developer, feature: 'monitor' })
  @Returns(AlertRecord)
  find(
    @CurrentProject() project: ProjectSubject,
    @Params() { alert_iid: iid }: FindAlertParams,
  ): Promise<AlertRecord> {
    return this.present(project, iid);
  }

  @Put(':alert_iid')
  @Access({ project: Role.Developer, feature: 'monitor' })
  @Returns(AlertRecord)
  async update(
    @CurrentCaller() caller: UserCaller,
    @CurrentProject() project: ProjectSubject,
    @Params() params: UpdateAlertParams,
  ): Promise<AlertRecord> {
    await this.updates.run(caller, project, params);
    return this.present(project, params.alert_iid);
  }

  @Post(':alert_iid/replay')
  @Access({ project: Role.Developer, feature: 'monitor' })
  @ReturnsList(TakenAlertRecord, 200)
  async replay(
    @CurrentProject() project: ProjectSubject,
    @Params() { alert_iid: iid }: FindAlertParams,
  ): Promise<TakenAlertRecord[]> {
    return [...(await this.replays.run(project, iid))];
  }

  private async present({ id }: ProjectSubject, iid: number): Promise<AlertRecord> {
    const row = await this.queries.find(id, iid);
    if (!row) throw notFound('Alert');
    return presentAlert(row, this.links);
  }
}
