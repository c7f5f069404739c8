import type { Tx } from '#kernel/database/transactions.js';
import type { IssuableKind } from './issuable-kind.js';

/** Labels that a thing has now and had not before, and those that it has no longer. */
export interface LabelChange {
  readonly addedIds: readonly number[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const TITLES =
  'select l.id, l.title from labels l where l.id = any($1::bigint[]) order by l.title collate "C"';

/** The ids of the labels that a thing has. */
export async function labelIdsOf(tx: Tx, { labels }: IssuableKind, id: number): Promise<number[]> {
  const rows = await tx.query<{ label_id: number }[]>(
    `select label_id from ${labels.table} where ${labels.key} = $1`,
    [id],
  );
  return rows.map((row) => row.label_id);
}

/** Makes these labels the ones of the thing; call it under the lock of the thing. */
export async function replaceLabels(
  tx: Tx,
  { labels: { table, key } }: IssuableKind,
  id: number,
  labelIds: readonly number[],
): Promise<LabelChange> {
  const [removed] = await tx.query<[{ label_id: number }[], number]>(
    `delete from ${table} where ${key} = $1 and label_id <> all($2::bigint[]) returning label_id`,
    [id, labelIds],
  );
  const added =
    labelIds.length === 0
      ? []
      : await tx.query<{ label_id: number }[]>(
          `insert into ${table} (${key}, label_id) select $1, l from unnest($2::bigint[]) l order by l on conflict do nothing returning label_id`,
          [id, labelIds],
        );
  const addedIds = added.map((row) => row.label_id);
  const removedIds = removed.map((row) => row.label_id);
  if (addedIds.length + removedIds.length === 0) return { addedIds, added: [], removed: [] };
  const titles = await tx.query<{ id: number; title: string }[]>(TITLES, [[...addedIds, ...removedIds]]);
  const named = (ids: readonly number[]): string[] =>
    titles.filter((label) => ids.includes(label.id)).map((label) => label.title);
  return { addedIds, added: named(addedIds), removed: named(removedIds) };
}
