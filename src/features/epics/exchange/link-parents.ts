import type { Tx } from '#kernel/database/transactions.js';
import { IDEAL_DISTANCE } from '#core/issuables/positions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { integerIn, type SourceRecord } from '#core/exchange/source-record.js';
import { lockEpicTree } from '../children/epic-tree.service.js';
import { EpicForest, type ForestNode } from '../exchange/epic-forest.js';
import { findEpics, nameOfEpic, type FoundEpic } from '../exchange/find-epics.js';
import { readEpicParent, type ImportedEpicParent } from '../exchange/read-epic-link.js';

const MAX_POSITION = 2_147_483_647;

/**
 * From earlier batches, for those of these ids or numbers at the source: all others keep waiting, however many
 * a source invents.
 */
const WAITING = `delete from imported_epic_parents where entity_id = $1 and (parent_source_id = any($2::bigint[]) or parent_iid = any($3::bigint[]))
  returning epic_id as "epicId", parent_source_id as "sourceId", parent_iid as iid, parent_title as title, relative_position as position,
    true as "isNear"`;

const WAIT = `insert into imported_epic_parents (epic_id, entity_id, parent_source_id, parent_iid, parent_title, relative_position)
  select x."epicId", $1, x."sourceId", x.iid, x.title, x.position
  from json_to_recordset($2::json) as x("epicId" bigint, "sourceId" bigint, iid integer, title text, position integer)`;

/** Trees of the epics and their parents: ancestors of the parents, and descendants of the epics. */
const FOREST = `with recursive above as (select id, parent_id from epics where id = any($1::bigint[])
      union select e.id, e.parent_id from above a join epics e on e.id = a.parent_id),
    below as (select id from epics where id = any($2::bigint[]) union select c.id from below b join epics c on c.parent_id = b.id)
  select id, parent_id as "parentId", confidential, title from epics where id in (select id from above union select id from below)`;

/** Keeps `updated_at`. */
const PUT = `update epics e set parent_id = x.parent, relative_position = x.position
  from unnest($1::bigint[], $2::bigint[], $3::integer[]) as x(epic, parent, position) where e.id = x.epic`;

/**
 * Sets the parents of imported epics: those of groups above exist, those of the same group may be imported
 * later, and are waited for. A parent outside of the migration is dropped.
 */
export async function linkParents(
  tx: Tx,
  target: ImportTarget,
  loaded: readonly { readonly record: SourceRecord; readonly id: number }[],
): Promise<void> {
  const [waiting] = await tx.query<[ImportedEpicParent[], number]>(WAITING, [
    target.entityId,
    loaded.map(({ record }) => integerIn(record, 'id', 1)),
    loaded.map(({ record }) => integerIn(record, 'iid', 1)),
  ]);
  const wanted = [...waiting, ...loaded.flatMap(({ record, id }) => readEpicParent(record, id) ?? [])];
  if (wanted.length === 0) return;
  await lockEpicTree(tx, (wanted[0] as ImportedEpicParent).epicId);
  const find = await findEpics(tx, target, wanted);
  const later = wanted.filter((parent) => parent.isNear && !find(parent));
  if (later.length > 0) await tx.query(WAIT, [target.entityId, JSON.stringify(later)]);
  const there = wanted.flatMap((parent) => {
    const epic = find(parent);
    return epic ? [{ parent, epic }] : [];
  });
  await put(tx, target, there);
}

async function put(
  tx: Tx,
  target: ImportTarget,
  wanted: readonly { readonly parent: ImportedEpicParent; readonly epic: FoundEpic }[],
): Promise<void> {
  const ids = [wanted.map(({ epic }) => epic.id), wanted.map(({ parent }) => parent.epicId)];
  const forest = new EpicForest(await tx.query<ForestNode[]>(FOREST, ids));
  const rows: { epic: number; parent: number; position: number }[] = [];
  const lasts = new Map<number, number>();
  for (const { parent, epic } of wanted) {
    const problem = forest.put(parent.epicId, epic.id);
    if (problem !== null) {
      const title = forest.titleOf(parent.epicId);
      await target.report(tx, { title, message: `${nameOfEpic(parent)} ${problem}` });
      continue;
    }
    const last = lasts.get(epic.id) ?? epic.lastChild ?? 0;
    const position = parent.position ?? Math.min(last + IDEAL_DISTANCE, MAX_POSITION);
    lasts.set(epic.id, Math.max(last, position));
    rows.push({ epic: parent.epicId, parent: epic.id, position });
  }
  if (rows.length === 0) return;
  const columns = [
    rows.map(({ epic }) => epic),
    rows.map(({ parent }) => parent),
    rows.map(({ position }) => position),
  ];
  await tx.query(PUT, columns);
}
