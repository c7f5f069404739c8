import { Injectable, type OnModuleInit } from '@nestjs/common';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import type { Tx } from '#kernel/database/transactions.js';
import { peel } from '#core/repositories/git/resolve.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import { UserDeleted } from '#core/users/events/user-deleted.event.js';
import { GhostService } from '#core/users/removal/ghost.service.js';
import { RemoveSnippets } from './writes/remove-snippets.use-case.js';
import { listFiles } from './files/snippet-files.js';

const LOCK = `select repository_storage as storage, default_branch as branch from snippets where id = $1 for no key update`;

const STORE = `update snippets set file_paths = $2, updated_at = ${STATEMENT_TIME} where id = $1`;

/** Updates file names after pushes, and removes snippets with their authors. */
@Injectable()
export class SnippetsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly storages: StoragesService,
    private readonly removal: RemoveSnippets,
    private readonly ghost: GhostService,
  ) {}

  onModuleInit(): void {
    this.events.on(RefsPushed, async ({ repository }, tx) => {
      if (repository.ownerType === 'Snippet') await this.readFiles(tx, repository.ownerId);
    });
    this.events.on(UserDeleted, async ({ userId, hard }, tx) => {
      // Snippets in projects are kept there, like all other contributions.
      await this.removal.removeOf(tx, userId, hard ? null : await this.ghost.id());
    });
  }

  /** Reads the present branch under the lock of the row: of two pushes the later one sees both. */
  private async readFiles(tx: Tx, id: number): Promise<void> {
    const [row] = await tx.query<{ storage: string; branch: string }[]>(LOCK, [id]);
    if (!row) return;
    const path = this.storages.path(row.storage, snippetRepository(id));
    const head = await peel(path, `refs/heads/${row.branch}`);
    const files = head === null ? null : await listFiles(path, head);
    if (files) await tx.query(STORE, [id, files.map((file) => file.path)]);
  }
}
