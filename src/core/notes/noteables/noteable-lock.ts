import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { NoteableType } from './noteable.js';

/** Where the things lie that are rows of the database. */
const TABLES: Readonly<Record<Exclude<NoteableType, 'Commit'>, { table: string; kind: string }>> = {
  Issue: { table: 'issues', kind: 'Issue' },
  MergeRequest: { table: 'merge_requests', kind: 'Merge Request' },
  Snippet: { table: 'snippets', kind: 'Snippet' },
  Epic: { table: 'epics', kind: 'Epic' },
};

const lockSql = (table: string, id: string): string =>
  `select 1 from ${table} where id = ${id} for no key update`;

/**
 * What hangs on things of a type: `with`, in which `made` is what `values` yields, inserted once the thing (`id`, an expression) is locked as by
 * `lockNoteable`; empty once it is gone.
 */
export const madeOnNoteableSql = (type: NoteableType, id: string, into: string, values: string): string =>
  type === 'Commit'
    ? `with made as (insert into ${into} select ${values} returning *)`
    : `with thing as (${lockSql(TABLES[type].table, id)}), made as (insert into ${into} select ${values} from thing returning *)`;

/** The thing is gone. */
export const thingGone = (type: NoteableType): Error =>
  notFound(type === 'Commit' ? type : TABLES[type].kind);

/**
 * Locks a thing before anything is hung on it: its row is the first that all who do so lock, and none of them leaves a note behind
 * where the thing is removed meanwhile. Commits need none. @throws 404 once it is gone
 */
export async function lockNoteable(tx: Tx, type: NoteableType, id: number | null): Promise<void> {
  if (type === 'Commit') return;
  const rows = await tx.query<unknown[]>(lockSql(TABLES[type].table, '$1'), [id]);
  if (rows.length === 0) throw thingGone(type);
}
