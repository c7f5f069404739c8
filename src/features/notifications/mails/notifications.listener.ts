import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { PipelineStatusChanged } from '#core/ci/processing/events/pipeline-status-changed.event.js';
import { MembershipChanged } from '#core/members/membership-changed.event.js';
import type { NotifiableEvent, NotifiableKind } from '../recipients/notifiable-event.js';
import { FanOutNotificationJob } from './jobs/fan-out.job.js';
import { notifiableMembership } from './notifiable-membership.js';
import { notifiableOf } from './notifiable-of.js';

/** Enqueues one job per event, however many recipients it has. */
@Injectable()
export class NotificationsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(ActivityHappened, async (happened, tx) => {
      const event = notifiableOf(happened);
      if (event) await this.enqueue(tx, event);
    });
    this.events.on(MembershipChanged, (changed, tx) => this.enqueue(tx, notifiableMembership(changed)));
    this.events.on(PipelineStatusChanged, (changed, tx) => this.ofPipeline(changed, tx));
  }

  private async ofPipeline({ pipeline, former }: PipelineStatusChanged, tx: Tx): Promise<void> {
    const { id, projectId, status, userId, parentId } = pipeline;
    if (userId === null || parentId !== null || (status !== 'success' && status !== 'failed')) return;
    const isFixed = status === 'success' && (await former()) === 'failed';
    const kind: NotifiableKind =
      status === 'failed' ? 'failed_pipeline' : isFixed ? 'fixed_pipeline' : 'success_pipeline';
    const target = { type: 'Pipeline', id } as const;
    await this.enqueue(tx, { kind, target, projectId, groupId: null, actorId: userId });
  }

  private enqueue(tx: Tx, event: NotifiableEvent): Promise<void> {
    return this.jobs.enqueue(tx, FanOutNotificationJob, { eventId: randomUUID(), event });
  }
}
