import { Injectable } from '@nestjs/common';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

const NAME = 'throttle_protected_paths';

/**
 * The throttle of all routes where passwords and codes can be guessed: by address, on by default
 * (`auth-core.md` 5.3).
 */
@Injectable()
export class ProtectedPathsLimit {
  constructor(
    private readonly settings: SettingsService,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Counts an attempt from the address of the request. @throws 429 with RateLimit-* headers and Retry-After
   */
  async admit(): Promise<void> {
    const { values } = this.settings;
    if (!values.throttle_protected_paths_enabled) return;
    const period = values.throttle_protected_paths_period_in_seconds;
    const limit = values.throttle_protected_paths_requests_per_period;
    const result = await this.limiter.hit(NAME, clientKey(), limit, period);
    if (!result.allowed) throw tooManyRequests(NAME, result, period, values.rate_limiting_response_text);
  }
}
