import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { Noteable } from '../noteables/noteable.js';

/** An unresolved discussion, with its first note. */
export interface OpenDiscussion {
  readonly id: string;
  readonly noteId: number;
}

const ALL = `select n.discussion_id as id, min(n.id) as "noteId", bool_or(n.resolved_at is null) as "isOpen" from notes n
  where n.noteable_type = $1 and n.noteable_id = $2 and n.type is not null and not n.system and (not n.internal or $3)
    and ($4::text is null or n.discussion_id = $4) group by n.discussion_id order by min(n.id)`;

const SETTLE = `update notes set resolved_at = ${STATEMENT_TIME}, resolved_by_id = $4::bigint, updated_at = ${STATEMENT_TIME}
  where discussion_id = any($1::text[]) and noteable_type = $2 and noteable_id = $3 and type is not null and not system and resolved_at is null`;

/** Lists the unresolved discussions of a noteable that the caller may read, or only that of an id. @throws 404 if the id does not exist */
export async function openDiscussions(
  tx: Tx,
  { type, id, mayReadInternal }: Noteable,
  only: string | null,
): Promise<OpenDiscussion[]> {
  const rows = await tx.query<(OpenDiscussion & { isOpen: boolean })[]>(ALL, [
    type,
    id,
    mayReadInternal,
    only,
  ]);
  if (only !== null && rows.length === 0) throw notFound('Discussion');
  return rows.filter(({ isOpen }) => isOpen);
}

/** Resolves discussions as a user; call it under the lock of the noteable. */
export async function settleDiscussions(
  tx: Tx,
  { type, id }: Noteable,
  discussions: readonly OpenDiscussion[],
  userId: number,
): Promise<void> {
  await tx.query(SETTLE, [discussions.map((one) => one.id), type, id, userId]);
}
