import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { NoteableType } from './noteable.js';

/** Tables of the noteables that are rows of the database. */
const TABLES: Readonly<Record<Exclude<NoteableType, 'Commit'>, { table: string; kind: string }>> = {
  Issue: { table: 'issues', kind: 'Issue' },
  MergeRequest: { table: 'merge_requests', kind: 'Merge Request' },
  Snippet: { table: 'snippets', kind: 'Snippet' },
  Epic: { table: 'epics', kind: 'Epic' },
};

const lockSql = (table: string, id: string): string =>
  `select 1 from ${table} where id = ${id} for no key update`;

/**
 * SQL `with` clause that locks a noteable as `lockNoteable` does (`id` is an expression) and inserts the
 * result of `values` as `made`; empty if the noteable no longer exists.
 */
export const madeOnNoteableSql = (type: NoteableType, id: string, into: string, values: string): string =>
  type === 'Commit'
    ? `with made as (insert into ${into} select ${values} returning *)`
    : `with noteable as (${lockSql(TABLES[type].table, id)}), made as (insert into ${into} select ${values} from noteable returning *)`;

/** Error for a noteable that no longer exists. */
export const noteableGone = (type: NoteableType): Error =>
  notFound(type === 'Commit' ? type : TABLES[type].kind);

/**
 * Locks a noteable before adding anything to it: all writers lock its row first, so that no note is left
 * behind if the noteable is removed concurrently. Commits need no lock. @throws 404 if it no longer exists
 */
export async function lockNoteable(tx: Tx, type: NoteableType, id: number | null): Promise<void> {
  if (!(await lockIfThere(tx, type, id))) throw noteableGone(type);
}

/** Does the same; returns false for a noteable that no longer exists. */
export async function lockIfThere(tx: Tx, type: NoteableType, id: number | null): Promise<boolean> {
  if (type === 'Commit') return true;
  return (await tx.query<unknown[]>(lockSql(TABLES[type].table, '$1'), [id])).length > 0;
}
