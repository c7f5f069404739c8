import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';

/**
 * Arbitrary number of an advisory lock, which serializes creations in a user's namespace so that the limit
 * holds.
 */
const LIMIT_LOCK = 746_274_020;

const LIMIT = `select case when u.external then 0 else u.projects_limit end as "limit",
    (select count(*)::int from projects p where p.namespace_id = $2 and not p.pending_delete) as used
  from users u where u.id = $1`;

/** Asserts that a user may have another project in the own namespace; valid until `tx` ends. @throws 400 */
export async function assertBelowLimit(tx: Tx, userId: number, namespaceId: number): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, $2)', [LIMIT_LOCK, userId]);
  const [row] = await tx.query<{ limit: number; used: number }[]>(LIMIT, [userId, namespaceId]);
  if (row && row.used >= row.limit) {
    throw invalid({
      limit_reached: [
        `Your project limit is ${row.limit} projects! Please contact your administrator to increase it`,
      ],
    });
  }
}
