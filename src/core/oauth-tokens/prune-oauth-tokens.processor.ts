import { Injectable } from '@nestjs/common';
import { removeInBatches } from '#kernel/database/remove-in-batches.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PruneOauthTokens } from './prune-oauth-tokens.job.js';

/** What goes; an index finds each. Until then a code or refresh token that comes again is known, and takes its descendants along. */
const PRUNED = [
  { table: 'oauth_grants', where: `expires_at < now() - interval '30 days'` },
  {
    table: 'oauth_tokens',
    where: `(revoked_at is not null or refreshed_at is not null) and updated_at < now() - interval '30 days'`,
  },
  { table: 'oauth_tokens', where: `refresh_digest is null and expires_at < now() - interval '30 days'` },
] as const;

/** Deletes in batches. A pair with a refresh token stays: that has no end of its own. */
@Injectable()
export class PruneOauthTokensProcessor extends JobProcessor {
  readonly job = PruneOauthTokens;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: object, { signal }: JobContext): Promise<void> {
    for (const { table, where } of PRUNED) await removeInBatches(this.transactions, table, where, signal);
  }
}
