import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { HttpError, notFound } from '#kernel/http/errors.js';
import { SubscriptionsService } from '#core/subscriptions/subscriptions.service.js';
import type { PlanningContainer } from '../reach/planning-container.js';

/** Manages subscriptions to labels: in one project, or for a group label in all its projects. */
@Injectable()
export class LabelSubscriptionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /** Sets whether a user subscribes to a label in a project or group. @throws 304 if nothing changes */
  async say(
    what: 'subscribe' | 'unsubscribe',
    container: PlanningContainer,
    userId: number,
    labelId: number,
  ): Promise<void> {
    const projectId = 'projectId' in container ? container.projectId : null;
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
