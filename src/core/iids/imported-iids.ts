import type { Tx } from '#kernel/database/transactions.js';
import { RecordRefused } from '#core/exchange/record-refused.js';

/** Scope in which imported numbers must be free. */
interface Numbered {
  readonly table: string;
  readonly owner: 'project_id' | 'group_id';
  readonly ownerId: number;
  /** Name of the objects in messages. */
  readonly word: string;
}

/**
 * Reserves the numbers of imported records; `take` locks their counter, so that no new object gets one of
 * them. @throws RecordRefused if a number is taken
 */
export async function takeImportedIids(
  tx: Tx,
  iids: readonly number[],
  { table, owner, ownerId, word }: Numbered,
  take: () => Promise<void>,
): Promise<void> {
  if (iids.length === 0) return;
  if (new Set(iids).size < iids.length) throw new RecordRefused(`iid belongs to another ${word}`);
  await take();
  const text = `select iid from ${table} where ${owner} = $1 and iid = any($2::bigint[]) limit 1`;
  const [taken] = await tx.query<{ iid: number }[]>(text, [ownerId, iids]);
  if (taken) throw new RecordRefused(`iid ${taken.iid} belongs to another ${word}`);
}
