import { Injectable } from '@nestjs/common';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';

const HOUR_SECONDS = 3_600;

/** Limit of mails of one kind to one address per hour, so that no mailbox can be flooded. */
const PER_ADDRESS = 5;

/** Limit of mails of one kind that an account causes per hour, to any addresses. */
const PER_USER = 20;

/** Limit of requests for links per client and minute. */
const PER_CLIENT = { name: 'mail_requests', limit: 10, seconds: 60 } as const;

/** Limits the mails that users can trigger to unconfirmed addresses. */
@Injectable()
export class MailLimit {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts a mail; false if it must not be sent. */
  async admit(kind: string, userId: number, address: string): Promise<boolean> {
    const byUser = await this.limiter.hit(`mail_${kind}_user`, String(userId), PER_USER, HOUR_SECONDS);
    if (!byUser.allowed) return false;
    const key = address.toLowerCase();
    const byAddress = await this.limiter.hit(`mail_${kind}_address`, key, PER_ADDRESS, HOUR_SECONDS);
    return byAddress.allowed;
  }

  /** Counts a request of this client. @throws 429 */
  async admitClient(): Promise<void> {
    const { name, limit, seconds } = PER_CLIENT;
    const result = await this.limiter.hit(name, clientKey(), limit, seconds);
    if (!result.allowed) throw tooManyRequests(name, result, seconds);
  }
}
