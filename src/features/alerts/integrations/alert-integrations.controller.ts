import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type ProjectCaller, type UserCaller } from '#kernel/access/caller.js';
import { seesSecrets } from '#kernel/access/credential-bounds.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AlertIntegrationRecord } from './alert-integration.record.js';
import {
  AlertIntegrationPath,
  CreateAlertIntegrationParams,
  UpdateAlertIntegrationParams,
} from './alert-integrations.params.js';
import { AlertIntegrationsPresenter } from './alert-integrations.presenter.js';
import { AlertIntegrationsQueries, type AlertIntegrationRow } from './alert-integrations.queries.js';
import { AlertIntegrationsService } from './alert-integrations.service.js';

/** Alert integrations of a project (`ops.md` 5.1). */
@Controller('api/v4/projects/:id/alert_management/integrations')
export class AlertIntegrationsController {
  constructor(
    private readonly integrations: AlertIntegrationsService,
    private readonly queries: AlertIntegrationsQueries,
    private readonly presenter: AlertIntegrationsPresenter,
  ) {}

  @Get()
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @ReturnsList(AlertIntegrationRecord)
  async list(@CurrentCaller() caller: ProjectCaller, @Paged() page: Page): Promise<AlertIntegrationRecord[]> {
    const rows = await page.load(this.queries.list(caller.subject.id));
    return rows.map((row) => this.present(row, caller));
  }

  @Post()
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(AlertIntegrationRecord, 201)
  async create(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: CreateAlertIntegrationParams,
  ): Promise<AlertIntegrationRecord> {
    return this.present(await this.integrations.create(caller.subject, caller.actor, params), caller);
  }

  @Get(':integration_id')
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(AlertIntegrationRecord)
  async find(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { integration_id: id }: AlertIntegrationPath,
  ): Promise<AlertIntegrationRecord> {
    return this.present(await this.queries.find(caller.subject.id, id), caller);
  }

  @Put(':integration_id')
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(AlertIntegrationRecord)
  async update(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() { integration_id: id, ...changes }: UpdateAlertIntegrationParams,
  ): Promise<AlertIntegrationRecord> {
    return this.present(await this.integrations.update(caller.subject, caller.actor, id, changes), caller);
  }

  @Delete(':integration_id')
  @Access({ project: Role.Maintainer, archived: true })
  @ReturnsNothing()
  async remove(
    @CurrentCaller() { subject, actor }: UserCaller & ProjectCaller,
    @Params() { integration_id: id }: AlertIntegrationPath,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.integrations.remove(subject, actor, id, unmodified);
  }

  /** Replaces the key; the former one becomes invalid. */
  @Post(':integration_id/reset_token')
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(AlertIntegrationRecord, 201)
  async resetToken(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() { integration_id: id }: AlertIntegrationPath,
  ): Promise<AlertIntegrationRecord> {
    return this.present(await this.integrations.resetKey(caller.subject, caller.actor, id), caller);
  }

  private present(row: AlertIntegrationRow, { subject, credential }: ProjectCaller): AlertIntegrationRecord {
    return this.presenter.present(row, subject, seesSecrets(credential));
  }
}
