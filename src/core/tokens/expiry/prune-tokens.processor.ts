import { Injectable } from '@nestjs/common';
import { removeInBatches, type UselessRows } from '#kernel/database/remove-in-batches.js';
import { UTC_TODAY } from '#kernel/database/time.sql.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { USELESS_LINKS } from '#core/emails/links/useless-links.js';
import { USELESS_SESSIONS } from '#core/sessions/useless-sessions.js';
import { PruneTokensJob } from './prune-tokens.job.js';

/** The last change of a revoked token is its revocation. */
const USELESS: readonly UselessRows[] = [
  { table: 'personal_access_tokens', where: `revoked and updated_at < now() - interval '30 days'` },
  { table: 'personal_access_tokens', where: `expires_at < ${UTC_TODAY} - 30` },
  USELESS_SESSIONS,
  ...USELESS_LINKS,
];

/** Removes rows in batches. */
@Injectable()
export class PruneTokensProcessor extends JobProcessor {
  readonly job = PruneTokensJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: object, { signal }: JobContext): Promise<void> {
    for (const rows of USELESS) await removeInBatches(this.transactions, rows, signal);
  }
}
