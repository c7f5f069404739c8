import { Injectable } from '@nestjs/common';
import { removeInBatches } from '#kernel/database/remove-in-batches.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { PruneAuditEventsJob } from './prune-audit-events.job.js';

const OLD = { table: 'audit_events', where: `created_at < now() - $1 * interval '1 day'` };

/** Removes old audit events in batches; 0 days keep them forever. */
@Injectable()
export class PruneAuditEventsProcessor extends JobProcessor {
  readonly job = PruneAuditEventsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
  ) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    const { audit_event_retention_days: days } = await this.settings.fresh();
    if (days > 0) await removeInBatches(this.transactions, { ...OLD, values: [days] }, signal);
  }
}
