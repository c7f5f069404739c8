import { Injectable } from '@nestjs/common';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '../settings/settings.service.js';

const PERIOD_SECONDS = 60;

/** Rate limits of creations per user and minute, by the settings of these names; 0 for no limit. */
@Injectable()
export class CreationLimit {
  constructor(
    private readonly settings: SettingsService,
    private readonly limiter: RateLimiter,
  ) {}

  /** Counts a creation. @throws 429 */
  async admit(name: 'issues_create_limit' | 'notes_create_limit', userId: number): Promise<void> {
    const limit = this.settings.values[name];
    if (limit === 0) return;
    const result = await this.limiter.hit(name, String(userId), limit, PERIOD_SECONDS);
    if (!result.allowed) throw tooManyRequests(name, result, PERIOD_SECONDS);
  }
}
