import { Injectable } from '@nestjs/common';
import { removeInBatches } from '#kernel/database/remove-in-batches.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PruneTokens } from './prune-tokens.job.js';

/** What goes; an index finds each. The row of a revoked token last changed when it was revoked. */
const PRUNED = [
  { table: 'personal_access_tokens', where: `revoked and updated_at < now() - interval '30 days'` },
  { table: 'personal_access_tokens', where: `expires_at < (now() at time zone 'utc')::date - 30` },
  { table: 'sessions', where: 'expires_at <= now()' },
] as const;

/** Deletes in batches. */
@Injectable()
export class PruneTokensProcessor extends JobProcessor {
  readonly job = PruneTokens;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: object, { signal }: JobContext): Promise<void> {
    for (const { table, where } of PRUNED) await removeInBatches(this.transactions, table, where, signal);
  }
}
