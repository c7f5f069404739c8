import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { UserDeleted } from '#core/users/events/user-deleted.event.js';
import { GhostService } from '#core/users/removal/ghost.service.js';
import { RemoveSnippets } from './writes/remove-snippets.use-case.js';

/** Removes snippets with their authors. */
@Injectable()
export class SnippetsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly removal: RemoveSnippets,
    private readonly ghost: GhostService,
  ) {}

  onModuleInit(): void {
    this.events.on(UserDeleted, async ({ userId, hard }, tx) => {
      // Snippets in projects are kept there, like all other contributions.
      await this.removal.removeOf(tx, userId, hard ? null : await this.ghost.id());
    });
  }
}
