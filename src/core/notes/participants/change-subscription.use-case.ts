import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { SubscriptionTarget } from '#core/subscriptions/subscription-target.js';
import { SubscriptionsService } from '#core/subscriptions/subscriptions.service.js';
import type { Noteable } from '../noteables/noteable.js';
import { lockNoteable } from '../noteables/noteable-lock.js';

/** Subscribes a user to a noteable, or unsubscribes them. */
@Injectable()
export class ChangeSubscription {
  constructor(
    private readonly transactions: Transactions,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /** Returns whether anything has changed. */
  run(
    what: 'subscribe' | 'unsubscribe',
    userId: number,
    type: 'Issue' | 'MergeRequest' | 'Epic',
    { id }: Noteable,
  ): Promise<boolean> {
    const target: SubscriptionTarget = { type, id: id as number };
    return this.transactions.run(async (tx) => {
      await lockNoteable(tx, type, id);
      return this.subscriptions[what](tx, userId, target);
    });
  }
}
