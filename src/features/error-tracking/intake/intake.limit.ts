import { Injectable } from '@nestjs/common';
import { HttpError } from '#kernel/http/errors.js';
import { RateLimiter, type RateLimitResult } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

const NAME = 'error_tracking_rate_limit_per_minute';
const PERIOD_SECONDS = 60;

/**
 * Rate limit of events per project and minute; 0 for no limit. Other items of SDKs (a session for each page
 * and start) are not counted: they would use up the limit for errors.
 */
@Injectable()
export class IntakeLimit {
  constructor(
    private readonly settings: SettingsService,
    private readonly limiter: RateLimiter,
  ) {}

  /** Counts events. @throws 429 in the form that SDKs obey */
  async count(projectId: number, events: number): Promise<void> {
    const limit = this.settings.values[NAME];
    if (limit === 0 || events === 0) return;
    this.admit(await this.limiter.hit(NAME, String(projectId), limit, PERIOD_SECONDS, events));
  }

  /** Checks the limit without counting, before reading the body. @throws 429 if it is used up */
  async look(projectId: number): Promise<void> {
    const limit = this.settings.values[NAME];
    if (limit > 0) this.admit(await this.limiter.look(NAME, String(projectId), limit));
  }

  private admit(result: RateLimitResult): void {
    if (result.allowed) return;
    const { rate_limiting_response_text: text } = this.settings.values;
    const { status, body, headers } = tooManyRequests(NAME, result, PERIOD_SECONDS, text);
    // Seconds, categories (none: all, because nothing was read yet), scope and reason.
    const limits = `${result.retryAfter}::project:rate_limit`;
    throw new HttpError(status, body, { ...headers, 'X-Sentry-Rate-Limits': limits });
  }
}
