import type { Tx } from '#kernel/database/transactions.js';

const FIND = 'select job_id as id from ci_job_definitions where job_id = any($1::bigint[])';

/** Returns those of the jobs that have a definition: jobs imported from another instance cannot run. */
export async function withDefinitions(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = ids.length === 0 ? [] : await tx.query<{ id: number }[]>(FIND, [ids]);
  return new Set(rows.map(({ id }) => id));
}
