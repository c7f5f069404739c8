import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { ProjectStorageWanted } from '#core/projects/project-storage-wanted.event.js';
import { MoveSchedulingService } from './move-scheduling.service.js';

/** Schedules the move of a project whose attribute `repository_storage` was changed. */
@Injectable()
export class WantedStoragesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly scheduling: MoveSchedulingService,
  ) {}

  onModuleInit(): void {
    this.events.on(ProjectStorageWanted, async ({ projectId, storage, actor }, tx) => {
      await this.scheduling.schedule(tx, { ownerType: 'Project', ownerId: projectId }, storage, actor);
    });
  }
}
