import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { ActivityHappened, type ActivityAction } from '#core/activity/activity-happened.event.js';
import type { PlanningContainer } from '#core/labels/reach/planning-container.js';
import type { Milestone } from './milestone.entity.js';

/** Publishes activity on milestones. */
@Injectable()
export class MilestoneActivityService {
  constructor(private readonly events: DomainEvents) {}

  async tell(
    tx: Tx,
    action: ActivityAction,
    actorId: number,
    container: PlanningContainer,
    { id, iid, title }: Pick<Milestone, 'id' | 'iid' | 'title'>,
  ): Promise<void> {
    const where =
      'projectId' in container
        ? { projectId: container.projectId, groupId: null }
        : { projectId: null, groupId: container.groupId };
    await this.events.publish(
      tx,
      new ActivityHappened(action, actorId, where, { type: 'Milestone', id, iid, title }),
    );
  }
}
