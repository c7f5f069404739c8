import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { UserCreated } from '#core/users/events/user-created.event.js';
import { UserDeleted } from '#core/users/events/user-deleted.event.js';
import { UserRenamed } from '#core/users/events/user-renamed.event.js';
import { PurgeNamespaceService } from '../deletion/purge-namespace.service.js';
import { NamespacesService } from './namespaces.service.js';

/** Creates, renames and removes the namespaces of users together with the users. */
@Injectable()
export class NamespacesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly namespaces: NamespacesService,
    private readonly removal: PurgeNamespaceService,
  ) {}

  onModuleInit(): void {
    this.events.on(UserCreated, ({ user }, tx) => this.namespaces.createUserNamespace(tx, user));
    this.events.on(UserRenamed, ({ user }, tx) => this.namespaces.rename(tx, user));
    this.events.on(UserDeleted, (event, tx) => this.removeOf(event, tx));
  }

  private async removeOf({ userId, hard }: UserDeleted, tx: Tx): Promise<void> {
    if (hard) await this.removal.removeOwnedGroups(tx, userId);
    await this.removal.removeUserNamespace(tx, userId);
  }
}
