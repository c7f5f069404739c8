import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

const NAME = 'bulk_import';
const PERIOD_SECONDS = 60;

const OPEN_NAME = 'bulk_import_open';

/** Any number: creations of one user take turns, so that the limit holds. */
const OPEN_LOCK = 746_274_015;

const LOCK = 'select pg_advisory_xact_lock($1, hashtext($2::text))';

const OPEN = `select count(*)::int as open from (select from bulk_imports where user_id = $1 and status in ('created', 'started') limit $2) i`;

/** How many migrations somebody may ask for in a minute, refused ones counted too, and how many of theirs may be under way. */
@Injectable()
export class BulkImportCreationLimit {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: SettingsService,
  ) {}

  /** Counts one. @throws 429 */
  async admit(userId: number): Promise<void> {
    const { bulk_import_rate_limit: limit, rate_limiting_response_text: text } = this.settings.values;
    if (limit === 0) return;
    const result = await this.limiter.hit(NAME, `user:${userId}`, limit, PERIOD_SECONDS);
    if (!result.allowed) throw tooManyRequests(NAME, result, PERIOD_SECONDS, text);
  }

  /** Holds until the end of `tx`. @throws 429 when too many have not ended; nobody knows when there is room, so that a minute is told */
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
