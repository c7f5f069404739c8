import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { PruneAuditEventsJob } from './prune-audit-events.job.js';

/** Rows of one transaction: few enough to hold up nobody. */
const BATCH = 1_000;

const DELETE = `delete from audit_events where id in (
  select id from audit_events where created_at < now() - $1 * interval '1 day' order by created_at, id limit ${BATCH})`;

/** Deletes old audit events in batches; 0 days keep them for ever. */
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
    if (days === 0) return;
    let deleted = BATCH;
    while (deleted === BATCH) {
      signal.throwIfAborted();
      deleted = await this.transactions.run(
        async (tx) => (await tx.query<[unknown[], number]>(DELETE, [days]))[1],
      );
    }
  }
}
