import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/http/errors.js';
import type { IntegrationType } from '../integrations/integration-values.js';
import type { IncomingAlert } from './formats/incoming-alert.js';
import { alertsIn } from './formats/read-alerts.js';
import { AlertQueue } from './store/alert-queue.js';
import type { TakenAlertRecord } from './taken-alert.record.js';

/** Where a payload comes from. */
export interface AlertSource {
  readonly id: number;
  readonly type: IntegrationType;
}

/** Alerts of one transaction at most, so that a body of any size holds no lock for long, and little memory. */
const BATCH = 1_000;

/** Takes in payloads, whoever hands them over: monitoring tools, somebody who tries an integration, a replay. */
@Injectable()
export class AlertIntake {
  constructor(private readonly queue: AlertQueue) {}

  /**
   * Stores what a payload tells of; one entry for each alert in it, in their order. What is stored as `payload` of an alert is always a body that
   * this takes again for that alert alone. The body is no deeper than JSON bodies of requests may be.
   * @throws 400 for what is no payload, 404 when the project has gone, 413 for an alert that is too large
   */
  async take(
    project: { readonly id: number },
    integration: AlertSource | null,
    body: unknown,
  ): Promise<readonly TakenAlertRecord[]> {
    const integrationId = integration?.id ?? null;
    const taken: TakenAlertRecord[] = [];
    for (const batch of batchesOf(alertsIn(body))) {
      const items = batch.map((alert) => ({ projectId: project.id, integrationId, alert }));
      for (const one of await this.queue.add(project.id, items)) {
        if (one === null) throw NotFound('Project');
        taken.push(one);
      }
    }
    return taken;
  }
}

function* batchesOf(alerts: Iterable<IncomingAlert>): Generator<readonly IncomingAlert[], void> {
  let batch: IncomingAlert[] = [];
  for (const alert of alerts) {
    batch.push(alert);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
