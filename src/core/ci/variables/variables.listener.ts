import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GroupDeleted } from '#core/groups/deletion/group-deleted.event.js';
import { ProjectDeleted } from '#core/projects/deletion/project-deleted.event.js';
import { Variable } from './variable.entity.js';

/** Removes variables with their project or group. */
@Injectable()
export class VariablesListener implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on(GroupDeleted, async ({ groupId }, tx) => {
      await tx.delete(Variable, { ownerType: 'Group', ownerId: groupId });
    });
    this.events.on(ProjectDeleted, async ({ projectId }, tx) => {
      await tx.delete(Variable, { ownerType: 'Project', ownerId: projectId });
    });
  }
}
