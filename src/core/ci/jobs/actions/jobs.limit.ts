import { Injectable } from '@nestjs/common';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

const NAME = 'project_jobs_api_rate_limit';
const PERIOD_SECONDS = 60;

/** Rate limit of job lists per project and minute; 0 for no limit. */
@Injectable()
export class JobsLimit {
  constructor(
    private readonly settings: SettingsService,
    private readonly limiter: RateLimiter,
  ) {}

  /** Counts a request. @throws 429 */
  async admit(projectId: number): Promise<void> {
    const limit = this.settings.values[NAME];
    if (limit === 0) return;
    const result = await this.limiter.hit(NAME, String(projectId), limit, PERIOD_SECONDS);
    if (!result.allowed) throw tooManyRequests(NAME, result, PERIOD_SECONDS);
  }
}
