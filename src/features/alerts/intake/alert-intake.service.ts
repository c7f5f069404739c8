import { Injectable } from '@nestjs/common';
import type { IntegrationType } from '../integrations/integration-values.js';
import type { TakenAlertRecord } from './taken-alert.record.js';

/** Where a payload comes from. */
export interface AlertSource {
  readonly id: number;
  readonly type: IntegrationType;
}

/** Takes in payloads, whoever hands them over: monitoring tools, somebody who tries an integration, a replay. */
@Injectable()
export class AlertIntake {
  /**
   * Stores what a payload tells of; one entry for each alert in it, in their order. What is stored as `payload` of an alert is always a body that
   * this takes again for that alert alone.
   * @throws 400 for what is no payload, 404 when the project has gone, 413 for an alert that is too large
   */
  take(
    project: { readonly id: number },
    integration: AlertSource | null,
    body: unknown,
  ): Promise<readonly TakenAlertRecord[]> {
    return Promise.reject(new Error(`No intake yet: ${project.id} ${integration?.id ?? ''} ${typeof body}`));
  }
}
