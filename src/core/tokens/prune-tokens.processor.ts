import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PruneTokens } from './prune-tokens.job.js';

/** Rows removed in one transaction. */
const BATCH = 1_000;

/** What goes; an index finds each. The row of a revoked token last changed when it was revoked. */
const PRUNED = [
  { table: 'personal_access_tokens', where: `revoked and updated_at < now() - interval '30 days'` },
  { table: 'personal_access_tokens', where: `expires_at < (now() at time zone 'utc')::date - 30` },
  { table: 'sessions', where: 'expires_at <= now()' },
] as const;

/** Deletes in batches, so that no transaction is long. */
@Injectable()
export class PruneTokensProcessor extends JobProcessor {
  readonly job = PruneTokens;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: object, { signal }: JobContext): Promise<void> {
    for (const { table, where } of PRUNED) {
      const text = `with batch as (select id from ${table} where ${where} limit ${BATCH} for update skip locked),
        gone as (delete from ${table} t using batch where t.id = batch.id returning 1) select count(*)::int as total from gone`;
      while ((await this.remove(text)) === BATCH) signal.throwIfAborted();
    }
  }

  private async remove(text: string): Promise<number> {
    const [row] = await this.transactions.run((tx) => tx.query<{ total: number }[]>(text));
    return row?.total ?? 0;
  }
}
