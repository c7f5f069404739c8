import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { branchOf, NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { ReadCommits } from './read-commits.job.js';

/** Who pushes more branches at once mirrors a repository: nobody reads the commits of the others. */
const MAX_BRANCHES = 20;

/** Has the commits read that somebody pushes to branches of projects. */
@Injectable()
export class PushedCommitsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(RefsPushed, (event, tx) => this.note(event, tx));
  }

  private async note({ repository, userId, changes }: RefsPushed, tx: Tx): Promise<void> {
    const { ownerType, ownerId: projectId, kind } = repository;
    if (ownerType !== 'Project' || kind !== 'code' || userId === null) return;
    const pushed = changes.flatMap((change) => {
      const branch = branchOf(change);
      const { before, after } = change;
      return branch === null || after === NO_OBJECT ? [] : [{ projectId, branch, before, after, userId }];
    });
    await this.jobs.enqueueAll(tx, ReadCommits, pushed.slice(0, MAX_BRANCHES));
  }
}
