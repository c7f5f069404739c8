import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Actor } from '#kernel/access/caller.js';
import { HttpError } from '#kernel/http/errors.js';
import { rateLimitHeaders } from '#kernel/rate-limit/rate-limit-headers.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

const NAME = 'users_get_by_id';
const PERIOD_SECONDS = 600;

/**
 * Rate limit of user look-ups per ten minutes, against enumeration; not for administrators (`auth-core.md`
 * 5.3).
 */
@Injectable()
export class UserLookupsLimit {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: SettingsService,
  ) {}

  /** Counts a look-up. @throws 429 */
  async admit(actor: Actor, response: Response): Promise<void> {
    const limit = this.settings.values.users_get_by_id_limit;
    if (actor.admin || limit === 0) return;
    const result = await this.limiter.hit(NAME, `user:${actor.id}`, limit, PERIOD_SECONDS);
    const headers = rateLimitHeaders(NAME, result, PERIOD_SECONDS);
    if (!result.allowed) throw new HttpError(429, { message: '429 Too Many Requests' }, headers);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  }
}
