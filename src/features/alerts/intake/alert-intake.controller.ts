import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { AlertIntakeService } from './alert-intake.service.js';
import { IntakeAccessPolicy } from './requests/intake-access.policy.js';
import { PayloadsService } from './requests/payloads.service.js';
import { TakenAlertRecord } from './taken-alert.record.js';

/** Intake of payloads from monitoring tools: below the path of each project (`ops.md` 5.2). */
@Controller()
export class AlertIntakeController {
  constructor(
    private readonly access: IntakeAccessPolicy,
    private readonly payloads: PayloadsService,
    private readonly intake: AlertIntakeService,
  ) {}

  /** Receives payloads at the URL of an integration; `identifier` may end in `.json`. */
  @Post('*project/alerts/notify/:slug/:identifier')
  @Access({ credential: 'alert-key' })
  @RawBody()
  @ReturnsList(TakenAlertRecord)
  async notify(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<readonly TakenAlertRecord[]> {
    const { project, integration } = await this.access.admit(request, response);
    return this.payloads.use(request, (payload) => this.intake.take(project, integration, payload));
  }

  /**
   * Receives payloads at the URL of the only integration of a project; `<project>/prometheus` is that of
   * Prometheus.
   */
  @Post('*project/alerts/notify')
  @Access({ credential: 'alert-key' })
  @RawBody()
  @ReturnsList(TakenAlertRecord)
  notifyLegacy(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<readonly TakenAlertRecord[]> {
    return this.notify(request, response);
  }

  /** Receives them at the same URL with `.json`, as some tools write it. */
  @Post('*project/alerts/notify.json')
  @Access({ credential: 'alert-key' })
  @RawBody()
  @ReturnsList(TakenAlertRecord)
  notifyLegacyJson(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<readonly TakenAlertRecord[]> {
    return this.notify(request, response);
  }
}
