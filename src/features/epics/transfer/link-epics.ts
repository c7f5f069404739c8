import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { IDEAL_DISTANCE } from '#core/issuables/positions.js';
import { groupRoleSql } from '#core/members/role-sql.js';
import type { ImportTarget } from '#core/transfer/import-target.js';
import { readEpicLink, type ImportedEpicLink } from './read-epic-link.js';
import type { SourceRecord } from '#core/transfer/source-record.js';

/** An epic that issues of the target can belong to. */
interface Epic {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly confidential: boolean;
  /** Of its issues; null for none. */
  readonly last: number | null;
}

/** An issue as it has been written. */
interface Issue {
  readonly id: number;
  readonly confidential: boolean;
  readonly issue_type: string;
}

const MAX_POSITION = 2_147_483_647;

/** Types of issues that belong to epics; tasks and test cases do not. */
const TYPES: ReadonlySet<string> = new Set(['issue', 'incident']);

/**
 * Epics of the groups above a namespace by id, or by number and title, locked in the order of their ids; the farthest group first. Only those
 * into which whoever migrates may put issues: groups above may be others', and what they have is nobody's to find out.
 */
const EPICS = `with above as (select g.id, g.at from namespaces n, unnest(n.traversal_ids) with ordinality as g(id, at) where n.id = $1),
  open as (select g.id, case when u.admin then ${Role.Admin} else ${groupRoleSql('u.id', 'g')} end as role
    from above join namespaces g on g.id = above.id and not g.pending_delete join users u on u.id = $5),
  locked as (select e.id, e.iid, e.title, e.confidential, e.group_id from epics e join open on open.id = e.group_id
    where open.role >= case when e.confidential then ${Role.Reporter} else ${Role.Guest} end and (e.id = any($2::bigint[])
      or (e.iid, e.title) in (select iid, title from unnest($3::bigint[], $4::text[]) as x(iid, title)))
    order by e.id for no key update of e)
  select e.id, e.iid, e.title, e.confidential, (select max(x.relative_position) from epic_issues x where x.epic_id = e.id) as last
  from locked e join above on above.id = e.group_id order by above.at`;

const ISSUES = 'select id, confidential, issue_type from issues where id = any($1::bigint[])';

const LINK = `insert into epic_issues (epic_id, issue_id, relative_position)
  select epic, issue, place from unnest($1::bigint[], $2::bigint[], $3::integer[]) as x(epic, issue, place)
  order by place, issue on conflict do nothing`;

/**
 * Puts issues that have been brought over into their epics, in the order of the source. An epic that has not come over with a group above is
 * reported, as is one that an issue cannot be in.
 */
export async function linkEpics(
  tx: Tx,
  target: ImportTarget,
  loaded: readonly { readonly record: SourceRecord; readonly id: number }[],
): Promise<void> {
  const links = loaded.flatMap(({ record, id }) => readEpicLink(record, id) ?? []);
  if (links.length === 0) return;
  const find = await findEpics(tx, target, links);
  const issues = await tx.query<Issue[]>(ISSUES, [links.map(({ issueId }) => issueId)]);
  const issueOf = new Map(issues.map((issue) => [issue.id, issue]));
  const rows: { epic: number; issue: number; place: number }[] = [];
  const lasts = new Map<number, number>();
  for (const link of links) {
    const epic = find(link);
    const problem = problemOf(epic, issueOf.get(link.issueId));
    if (!epic || problem !== null) {
      await target.report(tx, { title: link.issueTitle, message: `${nameOf(link)} ${problem ?? ''}` });
      continue;
    }
    const last = lasts.get(epic.id) ?? epic.last ?? 0;
    const place = link.position ?? Math.min(last + IDEAL_DISTANCE, MAX_POSITION);
    lasts.set(epic.id, Math.max(last, place));
    rows.push({ epic: epic.id, issue: link.issueId, place });
  }
  if (rows.length === 0) return;
  const places = rows.map(({ place }) => place);
  await tx.query(LINK, [rows.map(({ epic }) => epic), rows.map(({ issue }) => issue), places]);
}

async function findEpics(
  tx: Tx,
  target: ImportTarget,
  links: readonly ImportedEpicLink[],
): Promise<(link: ImportedEpicLink) => Epic | undefined> {
  const keys = [...new Set(links.flatMap(({ sourceId }) => (sourceId === null ? [] : [String(sourceId)])))];
  const found = await target.foundAbove(tx, 'epics', keys);
  const named = links.filter(({ sourceId }) => sourceId === null || !found.has(String(sourceId)));
  const epics = await tx.query<Epic[]>(EPICS, [
    target.namespaceId,
    [...new Set(found.values())],
    named.map(({ iid }) => iid),
    named.map(({ title }) => title),
    target.importerId,
  ]);
  const byId = new Map(epics.map((epic) => [epic.id, epic]));
  // The nearest group comes last, and wins.
  const byName = new Map(epics.map((epic) => [`${epic.iid} ${epic.title}`, epic]));
  return ({ sourceId, iid, title }) =>
    byId.get(found.get(String(sourceId)) ?? 0) ?? byName.get(`${iid ?? ''} ${title ?? ''}`);
}

function problemOf(epic: Epic | undefined, issue: Issue | undefined): string | null {
  if (!epic) return 'is not among the epics of the groups above';
  if (!issue || !TYPES.has(issue.issue_type)) return 'cannot have an issue of this type';
  return epic.confidential && !issue.confidential ? 'is confidential, which the issue is not' : null;
}

const nameOf = ({ iid, title }: ImportedEpicLink): string =>
  `Epic ${iid === null ? '' : `&${iid} `}${title === null ? '' : JSON.stringify(title)}`.trim();
