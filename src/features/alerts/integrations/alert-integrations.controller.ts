import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentCaller,
  CurrentProject,
  type Actor,
  type Caller,
  type ProjectSubject,
} from '#kernel/access/caller.js';
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
import { AlertIntegrationsQueries } from './alert-integrations.queries.js';
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
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() { credential }: Caller,
    @Paged() page: Page,
  ): Promise<AlertIntegrationRecord[]> {
    const rows = await page.load(this.queries.list(project.id));
    return rows.map((row) => this.presenter.present(row, project, seesSecrets(credential)));
  }

  @Post()
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(AlertIntegrationRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() params: CreateAlertIntegrationParams,
  ): Promise<AlertIntegrationRecord> {
    return this.presenter.present(
      await this.integrations.create(project, actor, params),
      project,
      seesSecrets(credential),
    );
  }

  @Get(':integration_id')
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(AlertIntegrationRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() { credential }: Caller,
    @Params() { integration_id: id }: AlertIntegrationPath,
  ): Promise<AlertIntegrationRecord> {
    return this.presenter.present(await this.queries.find(project.id, id), project, seesSecrets(credential));
  }

  @Put(':integration_id')
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(AlertIntegrationRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() { integration_id: id, ...changes }: UpdateAlertIntegrationParams,
  ): Promise<AlertIntegrationRecord> {
    return this.presenter.present(
      await this.integrations.update(project, actor, id, changes),
      project,
      seesSecrets(credential),
    );
  }

  @Delete(':integration_id')
  @Access({ project: Role.Maintainer, archived: true })
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() { integration_id: id }: AlertIntegrationPath,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.integrations.remove(project, actor, id, unmodified);
  }

  /** Replaces the key; the former one becomes invalid. */
  @Post(':integration_id/reset_token')
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(AlertIntegrationRecord, 201)
  async resetToken(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() { integration_id: id }: AlertIntegrationPath,
  ): Promise<AlertIntegrationRecord> {
    return this.presenter.present(
      await this.integrations.resetKey(project, actor, id),
      project,
      seesSecrets(credential),
    );
  }
}
