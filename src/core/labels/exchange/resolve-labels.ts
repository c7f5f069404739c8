import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { heldTitles } from '../exchange/held-titles.js';
import type { ImportedLabel } from '../exchange/read-label.js';

const insertSql = (column: 'project_id' | 'group_id'): string =>
  `insert into labels (${column}, title, color, description, created_at, updated_at)
   select $1, x.title, x.color, x.description, coalesce(x.created, now()), greatest(x.updated, coalesce(x.created, now()))
   from json_to_recordset($2::json) as x(title text, color text, description text, created timestamptz, updated timestamptz) order by x.title
   on conflict do nothing`;

/**
 * Resolves labels by title: those of the project or group, else of the groups above, else new ones of the
 * project or group; two statements per batch, or three if some are created.
 */
export async function resolveLabels(
  tx: Tx,
  target: ImportTarget,
  labels: readonly ImportedLabel[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Map(labels.map((label) => [label.title, label] as const));
  if (wanted.size === 0) return new Map();
  const known = await heldTitles(tx, 'labels', target, [...wanted.keys()]);
  const missing = [...wanted.values()].filter(({ title }) => !known.has(title));
  if (missing.length === 0) return known;
  const rows = missing.map(({ createdAt: created, updatedAt: updated, ...label }) => ({
    ...label,
    created,
    updated,
  }));
  const column = target.of === 'project' ? 'project_id' : 'group_id';
  await tx.query(insertSql(column), [target.ownerId, JSON.stringify(rows)]);
  const titles = missing.map(({ title }) => title);
  return new Map([...known, ...(await heldTitles(tx, 'labels', target, titles))]);
}

/** Returns the ids of an issuable's labels, without duplicates. */
export const labelIdsOf = (ids: ReadonlyMap<string, number>, labels: readonly ImportedLabel[]): number[] => [
  ...new Set(labels.flatMap(({ title }) => ids.get(title) ?? [])),
];
