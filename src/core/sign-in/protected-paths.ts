import { Injectable } from '@nestjs/common';
import { HttpError } from '#kernel/http/errors.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { rateLimitHeaders } from '#kernel/rate-limit/rate-limit-headers.js';
import { Settings } from '#core/instance/settings.service.js';

const NAME = 'throttle_protected_paths';

/** The throttle of all places where passwords and codes can be guessed: by address, on by default (`auth-core.md` 5.3). */
@Injectable()
export class ProtectedPaths {
  constructor(
    private readonly settings: Settings,
    private readonly limiter: RateLimiter,
  ) {}

  /** Counts one attempt from an address. @throws 429 with RateLimit-* headers and Retry-After */
  async admit(ip: string): Promise<void> {
    const { values } = this.settings;
    if (!values.throttle_protected_paths_enabled) return;
    const period = values.throttle_protected_paths_period_in_seconds;
    const limit = values.throttle_protected_paths_requests_per_period;
    const result = await this.limiter.hit(NAME, `ip:${ip}`, limit, period);
    if (result.allowed) return;
    const message = values.rate_limiting_response_text ?? '429 Too Many Requests';
    throw new HttpError(429, { message }, rateLimitHeaders(NAME, result, period));
  }
}
