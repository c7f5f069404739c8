import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { holdContainer, containerOf } from '#core/labels/reach/planning-container.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { isAdminSql } from '#core/users/admin.sql.js';

/** An epic as the source refers to it in other records. */
export interface NamedEpic {
  /** Its id at the source; null if unknown. */
  readonly sourceId: number | null;
  readonly iid: number | null;
  readonly title: string | null;
}

/** A local epic for such a reference. */
export interface FoundEpic {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly confidential: boolean;
  /** Last positions of its issues and of its children; null for none. */
  readonly lastIssue: number | null;
  readonly lastChild: number | null;
}

/**
 * Epics of groups by id, or by number and title, locked in the order of ids; the farthest group first. Only
 * those that the importing user may change: groups above may belong to others, whose epics must not be
 * revealed.
 */
const EPICS = `with above as (select g.id, g.at from unnest($1::bigint[]) with ordinality as g(id, at)),
  open as (select g.id, case when ${isAdminSql('u')} then ${Role.Admin} else ${groupRoleSql('u.id', 'g')} end as role
    from above join namespaces g on g.id = above.id and not g.pending_delete join users u on u.id = $5),
  locked as (select e.id, e.iid, e.title, e.confidential, e.group_id from epics e join open on open.id = e.group_id
    where open.role >= case when e.confidential then ${Role.Reporter} else ${Role.Guest} end and (e.id = any($2::bigint[])
      or (e.iid, e.title) in (select iid, title from unnest($3::bigint[], $4::text[]) as x(iid, title)))
    order by e.id for no key update of e)
  select e.id, e.iid, e.title, e.confidential,
    (select max(x.relative_position) from epic_issues x where x.epic_id = e.id) as "lastIssue",
    (select max(c.relative_position) from epics c where c.parent_id = e.id) as "lastChild"
  from locked e join above on above.id = e.group_id order by above.at`;

/**
 * Finds the epics that imported records refer to: imported ones, and those of the groups above; the nearest
 * group wins.
 */
export async function findEpics(
  tx: Tx,
  target: ImportTarget,
  names: readonly NamedEpic[],
): Promise<(name: NamedEpic) => FoundEpic | undefined> {
  const keys = [...new Set(names.flatMap(({ sourceId }) => (sourceId === null ? [] : [String(sourceId)])))];
  const found = await target.foundAbove(tx, 'epics', keys);
  const others = names.filter(({ sourceId }) => sourceId === null || !found.has(String(sourceId)));
  const epics = await tx.query<FoundEpic[]>(EPICS, [
    await holdContainer(tx, containerOf(target)),
    [...new Set(found.values())],
    others.map(({ iid }) => iid),
    others.map(({ title }) => title),
    target.importerId,
  ]);
  const byId = new Map(epics.map((epic) => [epic.id, epic]));
  // The nearest group comes last, and wins.
  const byName = new Map(epics.map((epic) => [`${epic.iid} ${epic.title}`, epic]));
  return ({ sourceId, iid, title }) =>
    byId.get(found.get(String(sourceId)) ?? 0) ?? byName.get(`${iid ?? ''} ${title ?? ''}`);
}

/** Returns the name of an epic for users. */
export const nameOfEpic = ({ iid, title }: NamedEpic): string =>
  `Epic ${iid === null ? '' : `&${iid} `}${title === null ? '' : JSON.stringify(title)}`.trim();
