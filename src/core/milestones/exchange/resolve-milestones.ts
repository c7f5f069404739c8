import type { Tx } from '#kernel/database/transactions.js';
import { takeImportedIids } from '#core/iids/imported-iids.js';
import type { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { heldTitles } from '#core/labels/exchange/held-titles.js';
import { containerOf } from '#core/labels/reach/planning-container.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { lockTitles } from '../milestone-rules.js';
import type { ImportedMilestone } from '../exchange/read-milestone.js';

const insertSql = (column: string): string =>
  `insert into milestones (${column}, iid, title, description, state, start_date, due_date, created_at, updated_at)
   select $1, x.iid, x.title, x.description, x.state, x.start, x.due, coalesce(x.created, now()), greatest(x.updated, coalesce(x.created, now()))
   from json_to_recordset($2::json) as x(iid bigint, title text, description text, state text, start date, due date, created timestamptz, updated timestamptz)
   order by x.iid returning title, id`;

const COLUMNS = { project: 'project_id', group: 'group_id' } as const;

/**
 * Resolves milestones by title: those of the project or group, else of the groups above, else new ones of the
 * project or group, with their numbers. @throws RecordRefused if a number is taken
 */
export async function resolveMilestones(
  tx: Tx,
  iids: InternalIdsService,
  target: ImportTarget,
  milestones: readonly ImportedMilestone[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Map(milestones.map((milestone) => [milestone.title, milestone] as const));
  if (wanted.size === 0) return new Map();
  const known = await heldTitles(tx, 'milestones', target, [...wanted.keys()]);
  if (known.size === wanted.size) return known;
  await lockTitles(
    tx,
    containerOf(target),
    [...wanted.keys()].filter((title) => !known.has(title)),
  );
  const found = await heldTitles(tx, 'milestones', target, [...wanted.keys()]);
  const missing = [...wanted.values()].filter(({ title }) => !found.has(title));
  const rows = await insert(tx, iids, target, missing);
  return new Map([...found, ...rows]);
}

async function insert(
  tx: Tx,
  iids: InternalIdsService,
  target: ImportTarget,
  milestones: readonly ImportedMilestone[],
): Promise<[string, number][]> {
  if (milestones.length === 0) return [];
  const given = milestones.flatMap(({ iid }) => iid ?? []);
  await take(tx, iids, target, given);
  const rows: object[] = [];
  for (const {
    startDate: start,
    dueDate: due,
    createdAt: created,
    updatedAt: updated,
    ...rest
  } of milestones)
    rows.push({ ...rest, start, due, created, updated, iid: rest.iid ?? (await next(tx, iids, target)) });
  const values = [target.ownerId, JSON.stringify(rows)];
  const made = await tx.query<{ title: string; id: number }[]>(insertSql(COLUMNS[target.of]), values);
  return made.map(({ title, id }) => [title, id]);
}

async function take(
  tx: Tx,
  iids: InternalIdsService,
  { of, ownerId }: ImportTarget,
  given: readonly number[],
): Promise<void> {
  const numbered = { table: 'milestones', owner: COLUMNS[of], ownerId, word: 'milestone' };
  await takeImportedIids(tx, given, numbered, () =>
    of === 'project'
      ? iids.takeMany(tx, ownerId, 'milestones', given)
      : iids.takeManyOfGroup(tx, ownerId, 'milestones', given),
  );
}

const next = (tx: Tx, iids: InternalIdsService, { of, ownerId }: ImportTarget): Promise<number> =>
  of === 'project' ? iids.next(tx, ownerId, 'milestones') : iids.nextOfGroup(tx, ownerId, 'milestones');
