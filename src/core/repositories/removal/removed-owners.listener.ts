import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GroupDeleted } from '#core/groups/deletion/group-deleted.event.js';
import { ProjectDeleted } from '#core/projects/deletion/project-deleted.event.js';
import { ProjectSnippetsService } from './project-snippets.service.js';
import { RepositoryRemovalService } from './repository-removal.service.js';

/** Number of owners removed per statement, unless a limit applies. */
const AT_ONCE = 500;

/** Removes the repositories of deleted projects, their snippets and groups. */
@Injectable()
export class RemovedOwnersListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly removal: RepositoryRemovalService,
    private readonly snippets: ProjectSnippetsService,
  ) {}

  onModuleInit(): void {
    this.events.on(GroupDeleted, ({ groupId }, tx) => this.removal.remove(tx, 'Group', groupId));
    this.events.on(ProjectDeleted, async ({ projectId }, tx) => {
      while ((await this.snippets.remove(tx, projectId, AT_ONCE)) > 0);
      await this.removal.remove(tx, 'Project', projectId);
    });
  }
}
