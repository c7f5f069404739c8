import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

const NAME = 'bulk_import';
const PERIOD_SECONDS = 60;

const OPEN_NAME = 'bulk_import_open';

/** Arbitrary number of an advisory lock, which serializes creations by a user so that the limit holds. */
const OPEN_LOCK = 746_274_015;

const LOCK = 'select pg_advisory_xact_lock($1, hashtext($2::text))';

const OPEN = `select count(*)::int as open from (select from bulk_imports where user_id = $1 and status in ('created', 'started') limit $2) i`;

/**
 * Rate limit of requested migrations per user and minute, including rejected ones, and limit of unfinished
 * ones.
 */
@Injectable()
export class BulkImportCreationLimit {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: SettingsService,
  ) {}

  /** Counts a request. @throws 429 */
  async admit(userId: number): Promise<void> {
    const { bulk_import_rate_limit: limit, rate_limiting_response_text: text } = this.settings.values;
    if (limit === 0) return;
    const result = await this.limiter.hit(NAME, `user:${userId}`, limit, PERIOD_SECONDS);
    if (!result.allowed) throw tooManyRequests(NAME, result, PERIOD_SECONDS, text);
  }

  /**
   * Asserts that another migration is allowed; valid until `tx` ends. @throws 429 if too many are unfinished;
   * the delay is a minute, since the end of others is unknown
   */
  async assertRoom(tx: Tx, userId: number): Promise<void> {
    const { bulk_import_open_limit: limit, rate_limiting_response_text: text } = this.settings.values;
    if (limit === 0) return;
    await tx.query(LOCK, [OPEN_LOCK, userId]);
    const [{ open }] = await tx.query<[{ open: number }]>(OPEN, [userId, limit]);
    if (open < limit) return;
    const resetAt = Math.ceil(Date.now() / 1000) + PERIOD_SECONDS;
    const result = {
      allowed: false,
      limit,
      observed: open,
      remaining: 0,
      resetAt,
      retryAfter: PERIOD_SECONDS,
    };
    throw tooManyRequests(OPEN_NAME, result, PERIOD_SECONDS, text);
  }
}
