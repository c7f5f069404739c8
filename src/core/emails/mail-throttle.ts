import { Injectable } from '@nestjs/common';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';

const PERIOD_SECONDS = 3_600;

/** Mails of one kind to one address in the period: nobody's mailbox is to be filled by others. */
const PER_ADDRESS = 5;

/** Mails of one kind that one account causes in the period, whatever the addresses. */
const PER_USER = 20;

/** Bounds the mails that people can have sent to addresses that they only claim. */
@Injectable()
export class MailThrottle {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts one mail; false when it must not be sent. */
  async admit(kind: string, userId: number, address: string): Promise<boolean> {
    const byUser = await this.limiter.hit(`mail_${kind}_user`, String(userId), PER_USER, PERIOD_SECONDS);
    if (!byUser.allowed) return false;
    const key = address.toLowerCase();
    const byAddress = await this.limiter.hit(`mail_${kind}_address`, key, PER_ADDRESS, PERIOD_SECONDS);
    return byAddress.allowed;
  }
}
