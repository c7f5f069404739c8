import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

const PREPARE = `with owner as (select project_id from snippets where id = $1 and project_id is not null),
  made as (insert into project_statistics (project_id) select project_id from owner on conflict (project_id) do nothing)
  select project_id as id from owner`;

/** The sum follows in a separate statement, which sees what others have counted under the lock. */
const LOCK = `select project_id from project_statistics where project_id = any($1::bigint[]) order by project_id for update`;

const SUM = `update project_statistics st set snippets_size = (
    select coalesce(sum(r.size_bytes), 0) from snippets s
    join repositories r on r.owner_type = 'Snippet' and r.owner_id = s.id where s.project_id = st.project_id)
  where st.project_id = any($1::bigint[])`;

/**
 * Keeps the size of a project's snippets. It is summed up anew each time: so it also contains snippets that
 * were measured before it was kept.
 */
@Injectable()
export class SnippetSizesService {
  /**
   * Returns the project of a snippet, which then has statistics; null if it is a personal one. Call it before
   * the repository is locked: a new row locks its project.
   */
  async prepare(tx: Tx, snippetId: number): Promise<number | null> {
    const [project] = await tx.query<{ id: number }[]>(PREPARE, [snippetId]);
    return project?.id ?? null;
  }

  /** Sums up the snippets of projects; call it after their repositories were measured or removed. */
  async sum(tx: Tx, projectIds: readonly number[]): Promise<void> {
    if (projectIds.length === 0) return;
    await tx.query(LOCK, [projectIds]);
    await tx.query(SUM, [projectIds]);
  }
}
