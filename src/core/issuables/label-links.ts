import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';
import type { IssuableKind } from './issuable-kind.js';

/**
 * Limit of labels of an issuable, and of names in a request: each list shows all labels of each of its rows.
 */
export const MAX_LABELS = 200;

/** Labels added to and removed from an issuable. */
export interface LabelChange {
  readonly addedIds: readonly number[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** An added or removed label. */
interface ChangedLabel {
  readonly id: number;
  readonly title: string;
  readonly action: 'add' | 'remove';
}

/** Returns the ids of the labels of an issuable. */
export async function labelIdsOf(tx: Tx, { labels }: IssuableKind, id: number): Promise<number[]> {
  const rows = await tx.query<{ label_id: number }[]>(
    `select label_id from ${labels.table} where ${labels.key} = $1`,
    [id],
  );
  return rows.map((row) => row.label_id);
}

/**
 * Adds labels to a new issuable, with an event for each, in one round trip with the next statement of `tx`.
 * The labels must be locked, as by `LabelNamesService`. @throws 400
 */
export async function addLabels(
  tx: Tx,
  { labels: { table, key } }: IssuableKind,
  id: number,
  labelIds: readonly number[],
  actorId: number,
): Promise<void> {
  if (labelIds.length === 0) return;
  if (labelIds.length > MAX_LABELS) throw tooMany();
  await runDeferred(
    tx,
    `with come as (insert into ${table} (${key}, label_id) select $1, l from unnest($2::bigint[]) l order by l
        on conflict do nothing returning label_id)
      insert into resource_label_events (${key}, user_id, label_id, action) select $1, $3::bigint, label_id, 'add' from come order by label_id`,
    [id, labelIds, actorId],
  );
}

/**
 * Labels named in a change: the complete new set, or null to start from the present one, with labels to add
 * and to remove.
 */
export interface NamedLabels {
  readonly all: readonly number[] | null;
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

/**
 * Changes labels as `replaceLabels` does, under the lock of the issuable; null if none are named.
 * @throws 400 if it would get more labels than before, and too many
 */
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
  if (wanted.length > Math.max(MAX_LABELS, all === null ? base.length : 0)) throw tooMany();
  return replaceLabels(tx, kind, id, wanted, actorId);
}

/**
 * Replaces the labels of an issuable, with an event for each added and removed one; call it under the lock of
 * the issuable. Only new labels are locked, which `LabelNamesService` has locked before the issuable:
 * `LabelLinksService.hold` waits for the issuable with its labels locked. Without an actor no events are
 * written: a copy brings those of its original.
 */
export async function replaceLabels(
  tx: Tx,
  { labels: { table, key } }: IssuableKind,
  id: number,
  labelIds: readonly number[],
  actorId: number | null,
): Promise<LabelChange> {
  const changed = await tx.query<ChangedLabel[]>(
    `with there as materialized (select id from labels where id = any($2::bigint[])
        and id not in (select label_id from ${table} where ${key} = $1) order by id for key share),
      gone as (delete from ${table} where ${key} = $1 and label_id <> all($2::bigint[]) returning label_id),
      come as (insert into ${table} (${key}, label_id) select $1, id from there order by id
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

const tooMany = (): Error => invalid({ labels: [`are too many (maximum is ${MAX_LABELS})`] });
