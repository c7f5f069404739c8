import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { notFound } from '#kernel/http/errors.js';
import { logger } from '#kernel/log/logger.js';
import type { IntegrationType } from '../integrations/integration-values.js';
import { isReadable, type IncomingAlert, type UnreadableAlert } from './formats/incoming-alert.js';
import { alertsIn } from './formats/read-alerts.js';
import { AlertQueueService } from './store/alert-queue.service.js';
import type { TakenAlertRecord } from './taken-alert.record.js';

/** Source of a payload. */
export interface AlertSource {
  readonly id: number;
  readonly type: IntegrationType;
}

/**
 * Limit of alerts per transaction, so that bodies of any size hold no lock for long and take little memory.
 */
const BATCH = 1_000;

/** Characters of alerts read between two yields to the event loop. */
const CHARACTERS_A_TURN = 512 * 1024;

/** Processes payloads of any source: monitoring tools, tests of an integration, a replay. */
@Injectable()
export class AlertIntakeService {
  constructor(private readonly queue: AlertQueueService) {}

  /**
   * Stores the alerts of a payload; returns one entry per alert, in order. The `payload` stored with an alert
   * is always a body that this accepts again for that alert alone. The depth of the body must not exceed that
   * of JSON requests.
   * @throws 400 if it is not a payload, 404 if the project was removed, 413 if an alert is too large, 422 for
   * an incomplete group
   */
  async take(
    project: { readonly id: number },
    integration: AlertSource | null,
    body: unknown,
  ): Promise<readonly TakenAlertRecord[]> {
    const integrationId = integration?.id ?? null;
    const taken: TakenAlertRecord[] = [];
    for await (const batch of batchesOf(alertsIn(body))) {
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

/** Limit of items named in a log line. */
const MOST_NAMED = 20;

/** Logs one line per body, because its sender repeats it while the alerts last. */
function logUnreadable(project: number, taken: readonly TakenAlertRecord[]): void {
  const flaws = taken.flatMap(({ error }, index) =>
    error === undefined ? [] : [`alerts[${index}]: ${error}`],
  );
  if (flaws.length === 0) return;
  const first = flaws.slice(0, MOST_NAMED);
  logger.warn({ project, unreadable: flaws.length, first }, 'Alerts could not be read');
}

type Item = IncomingAlert | UnreadableAlert;

async function* batchesOf(alerts: Iterable<Item>): AsyncGenerator<readonly Item[], void> {
  let batch: Item[] = [];
  let read = 0;
  for (const alert of alerts) {
    batch.push(alert);
    read += isReadable(alert) ? alert.payload.length : 0;
    if (read > CHARACTERS_A_TURN) {
      await nextTurn();
      read = 0;
    }
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
