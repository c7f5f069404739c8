import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { MergeRequestChanged, type MergeRequestChange } from '../../merge-request-changed.event.js';
import { addVersion } from '../versions.js';
import { FollowMergeRequestJob } from './follow-merge-request.job.js';

/** Changes after which the branches must be checked. */
const LOOKED_AT: readonly MergeRequestChange[] = ['created', 'reopened', 'retargeted'];

/** Checks the branches of merge requests that are created, reopened or retargeted. */
@Injectable()
export class ChangedMergeRequestsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(MergeRequestChanged, (event, tx) => this.note(event, tx));
  }

  private async note({ mergeRequest, change, actorId }: MergeRequestChanged, tx: Tx): Promise<void> {
    if (!LOOKED_AT.includes(change)) return;
    await addVersion(tx, mergeRequest);
    await this.jobs.enqueue(tx, FollowMergeRequestJob, { id: mergeRequest.id, userId: actorId, head: null });
  }
}
