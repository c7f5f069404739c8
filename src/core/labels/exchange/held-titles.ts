import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { held } from '../reach/planning-container.js';

const findSql = (table: 'labels' | 'milestones', kind: keyof typeof held): string =>
  `select distinct on (h.title) h.title, h.id from ${table} h where h.title = any($2::text[]) and ${held[kind]('h', '$1')}
   order by h.title, h.project_id nulls last, h.id`;

/** Finds the ids of labels or milestones by title: of the project or group, else of the groups above. */
export async function heldTitles(
  tx: Tx,
  table: 'labels' | 'milestones',
  { of, ownerId }: ImportTarget,
  titles: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{ title: string; id: number }[]>(findSql(table, of), [ownerId, titles]);
  return new Map(rows.map(({ title, id }) => [title, id]));
}
