import { Injectable } from '@nestjs/common';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';

const HOUR_SECONDS = 3_600;

/** Mails of one kind to one address in an hour: nobody's mailbox is to be filled by others. */
const PER_ADDRESS = 5;

/** Mails of one kind that one account causes in an hour, whatever the addresses. */
const PER_USER = 20;

/** Wishes for links of one client in a minute. */
const PER_CLIENT = { name: 'mail_requests', limit: 10, seconds: 60 } as const;

/** Bounds the mails that people can have sent to addresses that they only claim. */
@Injectable()
export class MailLimit {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts one mail; false when it must not be sent. */
  async admit(kind: string, userId: number, address: string): Promise<boolean> {
    const byUser = await this.limiter.hit(`mail_${kind}_user`, String(userId), PER_USER, HOUR_SECONDS);
    if (!byUser.allowed) return false;
    const key = address.toLowerCase();
    const byAddress = await this.limiter.hit(`mail_${kind}_address`, key, PER_ADDRESS, HOUR_SECONDS);
    return byAddress.allowed;
  }

  /** Counts one wish of the client of this request. @throws 429 */
  async admitClient(): Promise<void> {
    const { name, limit, seconds } = PER_CLIENT;
    const result = await this.limiter.hit(name, clientKey(), limit, seconds);
    if (!result.allowed) throw tooManyRequests(name, result, seconds);
  }
}
