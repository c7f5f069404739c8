import { Controller, Post, Req } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { PayloadsService } from '../../intake/requests/payloads.service.js';
import { TakenAlertRecord } from '../../intake/taken-alert.record.js';
import { AlertIntegrationPath } from '../alert-integrations.params.js';
import { TestAlertsService } from './test-alerts.service.js';

/** Tests an integration (`ops.md` 5.1). */
@Controller('api/v4/projects/:id/alert_management/integrations/:integration_id')
export class TestAlertsController {
  constructor(
    private readonly alerts: TestAlertsService,
    private readonly payloads: PayloadsService,
  ) {}

  /** The body is only the payload: its fields are never parameters. */
  @Post('test')
  @Access({ project: Role.Developer, feature: 'monitor' })
  @RawBody()
  @ReturnsList(TakenAlertRecord)
  async send(
    @CurrentProject() project: ProjectSubject,
    @Params() { integration_id: id }: AlertIntegrationPath,
    @Req() request: ApiRequest,
  ): Promise<readonly TakenAlertRecord[]> {
    const source = await this.alerts.source(project, id);
    return this.payloads.use(request, (payload) => this.alerts.send(project, source, payload));
  }
}
