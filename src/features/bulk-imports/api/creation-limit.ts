import { Injectable } from '@nestjs/common';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { TooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { Settings } from '#core/instance/settings.service.js';

const NAME = 'bulk_import';
const PERIOD_SECONDS = 60;

/** How many migrations somebody may ask for in a minute, refused ones counted too. */
@Injectable()
export class CreationLimit {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
  ) {}

  /** Counts one. @throws 429 */
  async admit(userId: number): Promise<void> {
    const { bulk_import_rate_limit: limit, rate_limiting_response_text: text } = this.settings.values;
    if (limit === 0) return;
    const result = await this.limiter.hit(NAME, `user:${userId}`, limit, PERIOD_SECONDS);
    if (!result.allowed) throw TooManyRequests(NAME, result, PERIOD_SECONDS, text);
  }
}
