import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '#kernel/access/caller.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { rateLimitHeaders } from '#kernel/rate-limit/rate-limit-headers.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

/** Names of the settings without their suffixes. */
type ThrottleName = `throttle_${'authenticated' | 'unauthenticated'}_${'api' | 'web'}`;

/**
 * The general rate limits of `auth-core.md` 5.3: by address for anonymous callers, by user for others; off by
 * default.
 */
@Injectable()
export class ThrottleLimit {
  constructor(
    private readonly settings: SettingsService,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Counts the request if a limit is enabled; returns a promise only then. @throws 429 with all RateLimit-*
   * headers and Retry-After.
   */
  admit(request: ApiRequest, response: Response, caller: Caller): Promise<void> | undefined {
    const kind = caller.owner ? 'authenticated' : 'unauthenticated';
    const area = request.originalUrl.startsWith('/api/') ? 'api' : 'web';
    const name = `throttle_${kind}_${area}` as const;
    return this.settings.values[`${name}_enabled`] ? this.count(name, response, caller) : undefined;
  }

  private async count(name: ThrottleName, response: Response, caller: Caller): Promise<void> {
    const { values } = this.settings;
    const limit = values[`${name}_requests_per_period`];
    const period = values[`${name}_period_in_seconds`];
    const key = caller.owner ? `user:${caller.owner.id}` : clientKey();
    const result = await this.limiter.hit(name, key, limit, period);
    if (!result.allowed) throw tooManyRequests(name, result, period, values.rate_limiting_response_text);
    for (const [header, value] of Object.entries(rateLimitHeaders(name, result, period)))
      response.setHeader(header, value);
  }
}
