import { Injectable } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { ContributionsService } from './contributions.service.js';
import { DeleteUserJob } from './delete-user.job.js';
import { GhostService } from './ghost.service.js';
import { UserDeleted } from '../events/user-deleted.event.js';
import { User } from '../user.entity.js';

/** Moves the contributions of a user to the ghost, then removes the user. */
@Injectable()
export class DeleteUserProcessor extends JobProcessor<Readonly<{ userId: number; hard: boolean }>> {
  readonly job = DeleteUserJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly ghost: GhostService,
    private readonly contributions: ContributionsService,
  ) {
    super();
  }

  async process({ userId, hard }: { userId: number; hard: boolean }, { signal }: JobContext): Promise<void> {
    const ghostId = await this.ghost.id();
    if (!hard) await this.contributions.move(userId, ghostId, false, signal);
    await this.transactions.run(async (tx) => {
      const user = await tx.findOne(User, {
        where: { id: userId, pendingDelete: true },
        lock: { mode: 'pessimistic_write' },
      });
      if (user) await this.events.publish(tx, new UserDeleted(userId, hard));
    });
    // What the listeners left: every issue has an author, also after a permanent removal.
    await this.contributions.move(userId, ghostId, hard, signal);
    await this.transactions.run((tx) => tx.delete(User, { id: userId, pendingDelete: true }));
  }
}
