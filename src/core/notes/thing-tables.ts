import type { Tx } from '#kernel/database/transactions.js';
import { NotFound } from '#kernel/http/errors.js';
import type { NoteableType } from './noteable.js';

/** Where the things lie that are rows of the database. */
const TABLES: Readonly<Record<Exclude<NoteableType, 'Commit'>, { table: string; kind: string }>> = {
  Issue: { table: 'issues', kind: 'Issue' },
  MergeRequest: { table: 'merge_requests', kind: 'Merge Request' },
  Snippet: { table: 'snippets', kind: 'Snippet' },
  Epic: { table: 'epics', kind: 'Epic' },
};

/**
 * Locks a thing before anything is hung on it: its row is the first that all who do so lock, and none of them leaves a note behind
 * where the thing is removed meanwhile. Commits need none. @throws 404 once it is gone
 */
export async function lockThing(tx: Tx, type: NoteableType, id: number | null): Promise<void> {
  if (type === 'Commit') return;
  const { table, kind } = TABLES[type];
  const rows = await tx.query<unknown[]>(`select 1 from ${table} where id = $1 for no key update`, [id]);
  if (rows.length === 0) throw NotFound(kind);
}
