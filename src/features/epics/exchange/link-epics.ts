import type { Tx } from '#kernel/database/transactions.js';
import { IDEAL_DISTANCE } from '#core/issuables/positions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { findEpics, nameOfEpic, type FoundEpic } from '../exchange/find-epics.js';
import { readEpicLink } from '../exchange/read-epic-link.js';

/** An imported issue. */
interface Issue {
  readonly id: number;
  readonly confidential: boolean;
  readonly issue_type: string;
}

const MAX_POSITION = 2_147_483_647;

/** Types of issues that can belong to epics; tasks and test cases cannot. */
const TYPES: ReadonlySet<string> = new Set(['issue', 'incident']);

const ISSUES = 'select id, confidential, issue_type from issues where id = any($1::bigint[])';

const LINK = `insert into epic_issues (epic_id, issue_id, relative_position)
  select epic, issue, position from unnest($1::bigint[], $2::bigint[], $3::integer[]) as x(epic, issue, position)
  order by position, issue on conflict do nothing`;

/**
 * Adds imported issues to their epics, in the order of the source. Epics of groups above that were not
 * imported are reported, as are invalid combinations.
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
  const rows: { epic: number; issue: number; position: number }[] = [];
  const lasts = new Map<number, number>();
  for (const link of links) {
    const epic = find(link);
    const problem = problemOf(epic, issueOf.get(link.issueId));
    if (!epic || problem !== null) {
      await target.report(tx, { title: link.issueTitle, message: `${nameOfEpic(link)} ${problem ?? ''}` });
      continue;
    }
    const last = lasts.get(epic.id) ?? epic.lastIssue ?? 0;
    const position = link.position ?? Math.min(last + IDEAL_DISTANCE, MAX_POSITION);
    lasts.set(epic.id, Math.max(last, position));
    rows.push({ epic: epic.id, issue: link.issueId, position });
  }
  if (rows.length === 0) return;
  const positions = rows.map(({ position }) => position);
  await tx.query(LINK, [rows.map(({ epic }) => epic), rows.map(({ issue }) => issue), positions]);
}

function problemOf(epic: FoundEpic | undefined, issue: Issue | undefined): string | null {
  if (!epic) return 'is not among the epics of the groups above';
  if (!issue || !TYPES.has(issue.issue_type)) return 'cannot have an issue of this type';
  return epic.confidential && !issue.confidential ? 'is confidential, which the issue is not' : null;
}
