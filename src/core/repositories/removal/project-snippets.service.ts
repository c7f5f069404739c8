import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { ProjectSnippetsPort } from '#core/projects/deletion/project-snippets.port.js';
import { RepositoryRemovalService } from './repository-removal.service.js';

const SNIPPETS = 'select id from snippets where project_id = $1 order by id limit $2';

/** Removes the snippets of projects, with their repositories. */
@Injectable()
export class ProjectSnippetsService implements ProjectSnippetsPort {
  constructor(private readonly removal: RepositoryRemovalService) {}

  async remove(tx: Tx, projectId: number, limit: number): Promise<number> {
    const rows = await tx.query<{ id: number }[]>(SNIPPETS, [projectId, limit]);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await this.removal.removeAll(tx, 'Snippet', ids);
    await tx.query('delete from snippets where id = any($1::bigint[])', [ids]);
    return ids.length;
  }
}
