import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { IssuableKind } from './issuable-kind.js';

/** Labels that a thing has now and had not before, and those that it has no longer. */
export interface LabelChange {
  readonly addedIds: readonly number[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A label that has come or gone. */
interface ChangedLabel {
  readonly id: number;
  readonly title: string;
  readonly action: 'add' | 'remove';
}

/** The ids of the labels that a thing has. */
export async function labelIdsOf(tx: Tx, { labels }: IssuableKind, id: number): Promise<number[]> {
  const rows = await tx.query<{ label_id: number }[]>(
    `select label_id from ${labels.table} where ${labels.key} = $1`,
    [id],
  );
  return rows.map((row) => row.label_id);
}

/**
 * Hangs labels on a thing that `tx` has made, and keeps an event of each, with whatever it runs next. The labels are held already, as those
 * that `LabelNamesService` finds are.
 */
export async function addLabels(
  tx: Tx,
  { labels: { table, key } }: IssuableKind,
  id: number,
  labelIds: readonly number[],
  actorId: number,
): Promise<void> {
  if (labelIds.length === 0) return;
  await runDeferred(
    tx,
    `with come as (insert into ${table} (${key}, label_id) select $1, l from unnest($2::bigint[]) l order by l
        on conflict do nothing returning label_id)
      insert into resource_label_events (${key}, user_id, label_id, action) select $1, $3::bigint, label_id, 'add' from come order by label_id`,
    [id, labelIds, actorId],
  );
}

/** Labels that a change names: all that there are to be, or null for those there are, and some to add and to take away. */
export interface NamedLabels {
  readonly all: readonly number[] | null;
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

/** Makes a change of labels under the lock of the thing, as `replaceLabels` does; null where none is named. */
export async function changeLabels(
  tx: Tx,
  kind: IssuableKind,
  id: number,
  { all, add, remove }: NamedLabels,
  actorId: number,
): Promise<LabelChange | null> {
  if (all === null && add.length + remove.length === 0) return null;
  const base = all ?? (await labelIdsOf(tx, kind, id));
  const wanted = [...new Set([...base, ...add])].filter((label) => !remove.includes(label));
  return replaceLabels(tx, kind, id, wanted, actorId);
}

/**
 * Makes these labels the ones of the thing, and keeps an event of each that has come or gone; call it under the lock of the thing. A label
 * that is removed meanwhile takes its links along itself. Without
 * an actor nothing is kept: a copy brings the events of its original along.
 */
export async function replaceLabels(
  tx: Tx,
  { labels: { table, key } }: IssuableKind,
  id: number,
  labelIds: readonly number[],
  actorId: number | null,
): Promise<LabelChange> {
  const changed = await tx.query<ChangedLabel[]>(
    `with there as materialized (select id from labels where id = any($2::bigint[]) or id in (select label_id from ${table} where ${key} = $1)
        order by id for key share),
      gone as (delete from ${table} where ${key} = $1 and label_id <> all($2::bigint[]) and label_id in (select id from there)
        returning label_id),
      come as (insert into ${table} (${key}, label_id) select $1, id from there where id = any($2::bigint[]) order by id
        on conflict do nothing returning label_id),
      changed as (select label_id, 'add' as action from come union all select label_id, 'remove' from gone),
      kept as (insert into resource_label_events (${key}, user_id, label_id, action)
        select $1, $3, label_id, action from changed where $3::bigint is not null order by action, label_id)
    select l.id, l.title, c.action from changed c join labels l on l.id = c.label_id order by l.title collate "C"`,
    [id, labelIds, actorId],
  );
  const added = changed.filter(({ action }) => action === 'add');
  const removed = changed.filter(({ action }) => action === 'remove');
  return {
    addedIds: added.map((label) => label.id),
    added: added.map(({ title }) => title),
    removed: removed.map(({ title }) => title),
  };
}
