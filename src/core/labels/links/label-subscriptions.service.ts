import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { HttpError, notFound } from '#kernel/http/errors.js';
import { SubscriptionsService } from '#core/subscriptions/subscriptions.service.js';
import type { PlanningPlace } from '../reach/planning-place.js';

/** Who hears of what gets a label: in one project, or wherever the label of a group is. */
@Injectable()
export class LabelSubscriptionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /** Says whether a user wants to hear of a label in a place. @throws 304 when they have said so already */
  async say(
    what: 'subscribe' | 'unsubscribe',
    place: PlanningPlace,
    userId: number,
    labelId: number,
  ): Promise<void> {
    const projectId = 'projectId' in place ? place.projectId : null;
    await this.transactions.run(async (tx) => {
      const found = await tx.query<unknown[]>('select 1 from labels where id = $1 for no key update', [
        labelId,
      ]);
      if (found.length === 0) throw notFound('Label');
      const hasChanged = await this.subscriptions[what](
        tx,
        userId,
        { type: 'Label', id: labelId },
        projectId,
      );
      if (!hasChanged) throw new HttpError(304, {});
    });
  }
}
