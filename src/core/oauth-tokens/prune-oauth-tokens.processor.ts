import { Injectable } from '@nestjs/common';
import { removeInBatches, type UselessRows } from '#kernel/database/remove-in-batches.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PruneOauthTokensJob } from './prune-oauth-tokens.job.js';

/** Until then, the reuse of a code or refresh token is detected, and revokes its descendants. */
const USELESS: readonly UselessRows[] = [
  { table: 'oauth_grants', where: `expires_at < now() - interval '30 days'` },
  {
    table: 'oauth_tokens',
    where: `(revoked_at is not null or refreshed_at is not null) and updated_at < now() - interval '30 days'`,
  },
  { table: 'oauth_tokens', where: `refresh_digest is null and expires_at < now() - interval '30 days'` },
];

/** Removes rows in batches. A pair with a refresh token is kept, since it does not expire. */
@Injectable()
export class PruneOauthTokensProcessor extends JobProcessor {
  readonly job = PruneOauthTokensJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: object, { signal }: JobContext): Promise<void> {
    for (const rows of USELESS) await removeInBatches(this.transactions, rows, signal);
  }
}
