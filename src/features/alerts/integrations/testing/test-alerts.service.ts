import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { forbidden, invalid } from '#kernel/http/errors.js';
import { AlertIntakeService, type AlertSource } from '../../intake/alert-intake.service.js';
import type { TakenAlertRecord } from '../../intake/taken-alert.record.js';
import { AlertIntegrationsQueries } from '../alert-integrations.queries.js';

/** Processes test alerts of users as if the tool had sent them, but without a key. */
@Injectable()
export class TestAlertsService {
  constructor(
    private readonly integrations: AlertIntegrationsQueries,
    private readonly intake: AlertIntakeService,
  ) {}

  /**
   * Returns the integration to test.
   * @throws 400 for an external tool, 403 if the project or the integration accepts nothing, 404
   */
  async source(project: ProjectSubject, id: number): Promise<AlertSource> {
    const { type, active } = await this.integrations.find(project.id, id);
    if (type === 'external') throw invalid({ base: ['An external tool receives its alerts itself'] });
    if (project.archived) throw forbidden();
    if (!active) throw forbidden('The integration is turned off');
    return { id, type };
  }

  /** Processes a payload. @throws 400, 404, 413 */
  send(project: ProjectSubject, source: AlertSource, payload: unknown): Promise<readonly TakenAlertRecord[]> {
    return this.intake.take({ id: project.id }, source, payload);
  }
}
