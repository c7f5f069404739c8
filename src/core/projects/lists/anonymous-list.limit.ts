import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

const NAME = 'projects_api_rate_limit_unauthenticated';
const PERIOD_SECONDS = 600;

/** Rate limit of project lists per address of anonymous callers in ten minutes; 0 for no limit. */
@Injectable()
export class AnonymousListLimit {
  constructor(
    private readonly settings: SettingsService,
    private readonly limiter: RateLimiter,
  ) {}

  /** Counts a request. @throws 429 */
  async admit(caller: Caller): Promise<void> {
    const limit = this.settings.values[NAME];
    if (caller.actor || limit === 0) return;
    const result = await this.limiter.hit(NAME, clientKey(), limit, PERIOD_SECONDS);
    if (!result.allowed) throw tooManyRequests(NAME, result, PERIOD_SECONDS);
  }
}
