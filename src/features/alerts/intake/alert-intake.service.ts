import { Injectable } from '@nestjs/common';
import { notFound } from '#kernel/http/errors.js';
import { logger } from '#kernel/log/logger.js';
import type { IntegrationType } from '../integrations/integration-values.js';
import { isReadable, type IncomingAlert, type UnreadableAlert } from './formats/incoming-alert.js';
import { alertsIn } from './formats/read-alerts.js';
import { AlertQueueService } from './store/alert-queue.service.js';
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
export class AlertIntakeService {
  constructor(private readonly queue: AlertQueueService) {}

  /**
   * Stores what a payload tells of; one entry for each alert in it, in their order. What is stored as `payload` of an alert is always a body that
   * this takes again for that alert alone. The body is no deeper than JSON bodies of requests may be.
   * @throws 400 for what is no payload, 404 when the project has gone, 413 for an alert that is too large, 422 for a group that lacks something
   */
  async take(
    project: { readonly id: number },
    integration: AlertSource | null,
    body: unknown,
  ): Promise<readonly TakenAlertRecord[]> {
    const integrationId = integration?.id ?? null;
    const taken: TakenAlertRecord[] = [];
    for (const batch of batchesOf(alertsIn(body))) {
      const alerts = batch.filter(isReadable);
      const items = alerts.map((alert) => ({ projectId: project.id, integrationId, alert }));
      const stored = items.length > 0 ? await this.queue.add(project.id, items) : [];
      let next = 0;
      for (const item of batch) {
        const one = isReadable(item) ? stored[next++] : { iid: null, ...item };
        if (!one) throw notFound('Project');
        taken.push(one);
      }
    }
    logUnreadable(project.id, taken);
    return taken;
  }
}

/** Items of a body that a line of the log names. */
const MOST_NAMED = 20;

/** One line for a body: its sender repeats all of it for as long as the alerts last. */
function logUnreadable(project: number, taken: readonly TakenAlertRecord[]): void {
  const flaws = taken.flatMap(({ error }, index) =>
    error === undefined ? [] : [`alerts[${index}]: ${error}`],
  );
  if (flaws.length === 0) return;
  const first = flaws.slice(0, MOST_NAMED);
  logger.warn({ project, unreadable: flaws.length, first }, 'Alerts could not be read');
}

type Item = IncomingAlert | UnreadableAlert;

function* batchesOf(alerts: Iterable<Item>): Generator<readonly Item[], void> {
  let batch: Item[] = [];
  for (const alert of alerts) {
    batch.push(alert);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
