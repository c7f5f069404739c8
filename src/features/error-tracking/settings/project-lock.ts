import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';

const LOCK = 'select 1 from projects where id = $1 and not pending_delete for no key update';

/** Serializes changes of error tracking of a project, and prevents them while it is removed. @throws 404 */
export async function lockProject(tx: Tx, projectId: number): Promise<void> {
  if ((await tx.query<object[]>(LOCK, [projectId])).length === 0) throw notFound('Project');
}
