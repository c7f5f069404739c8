import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GroupDeleted } from '#core/groups/deletion/group-deleted.event.js';
import { ProjectChildrenRegistry } from '#core/projects/deletion/project-children.registry.js';
import { ProjectDeleted } from '#core/projects/deletion/project-deleted.event.js';
import { RepositoryRemovalService } from './repository-removal.service.js';

const SNIPPETS = 'select id from snippets where project_id = $1 order by id limit $2';

/** Removed in one statement where nothing limits them. */
const AT_ONCE = 500;

/** Lets the repositories of projects, of their snippets and of groups go with them. */
@Injectable()
export class RemovedOwnersListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly children: ProjectChildrenRegistry,
    private readonly removal: RepositoryRemovalService,
  ) {}

  onModuleInit(): void {
    this.events.on(GroupDeleted, ({ groupId }, tx) => this.removal.remove(tx, 'Group', groupId));
    this.events.on(ProjectDeleted, async ({ projectId }, tx) => {
      while ((await this.removeSnippets(tx, projectId, AT_ONCE)) > 0);
      await this.removal.remove(tx, 'Project', projectId);
    });
    this.children.register('snippets', (tx, projectId, limit) => this.removeSnippets(tx, projectId, limit));
  }

  /** Snippets have repositories of their own: they must not go by their foreign key alone. */
  private async removeSnippets(tx: Tx, projectId: number, limit: number): Promise<number> {
    const rows = await tx.query<{ id: number }[]>(SNIPPETS, [projectId, limit]);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await this.removal.removeAll(tx, 'Snippet', ids);
    await tx.query('delete from snippets where id = any($1::bigint[])', [ids]);
    return ids.length;
  }
}
