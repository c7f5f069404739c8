import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { sourceTitle } from '#core/exchange/source-key.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import { readIssueLinks, type ImportedIssueLink } from '../exchange/read-issue-links.js';

/** Issues imported with other projects of the migration that the importing user may still change. */
const OPEN = `select i.id from issues i join projects p on p.id = i.project_id and not p.pending_delete
    join namespaces n on n.id = p.namespace_id join users u on u.id = $3
  where i.id = any($1::bigint[]) and (p.id = $2 or ${isAdminSql('u')} or ${projectRoleSql('u.id', 'p', 'n')} >= ${Role.Reporter})`;

/**
 * Lists show links in order of creation; imports of links between projects are serialized (`foundInImport`).
 */
const LINK = `insert into issue_links (source_id, target_id, link_type, created_at, updated_at)
  select x.source, x.target, x.type, coalesce(x.created, now()), coalesce(x.updated, x.created, now())
  from json_to_recordset($1::json) as x(source bigint, target bigint, type text, created timestamptz, updated timestamptz)
  order by x.created nulls last on conflict do nothing`;

/**
 * Links imported issues to existing ones. Both ends contain a link, so that the one imported later creates
 * it; links out of the migration are skipped.
 */
export async function linkIssues(
  tx: Tx,
  target: ImportTarget,
  loaded: readonly { readonly record: SourceRecord; readonly id: number }[],
): Promise<void> {
  const links = loaded.flatMap(({ record, id }) => readIssueLinks(record, id, sourceTitle(record, 'title')));
  if (links.length === 0) return;
  const others = links.flatMap(({ otherProjectId }) => otherProjectId ?? []);
  const keys = links.map(({ otherSourceId }) => String(otherSourceId));
  const found = await target.foundInImport(tx, 'issues', [...new Set(others)], [...new Set(keys)]);
  const ids = [...new Set(found.values())];
  const rows = await tx.query<{ id: number }[]>(OPEN, [ids, target.ownerId, target.importerId]);
  const open = new Set(rows.map(({ id }) => id));
  const made: object[] = [];
  for (const link of links) {
    const otherId = found.get(String(link.otherSourceId));
    if (otherId === undefined || otherId === link.issueId) continue;
    if (open.has(otherId)) made.push(rowOf(link, otherId));
    else
      await target.report(tx, {
        title: link.issueTitle,
        message: 'An issue that it is linked to may no longer be changed',
      });
  }
  if (made.length > 0) await tx.query(LINK, [JSON.stringify(made)]);
}

const rowOf = (
  { issueId, isSource, linkType: type, createdAt: created, updatedAt: updated }: ImportedIssueLink,
  otherId: number,
): object => ({
  source: isSource ? issueId : otherId,
  target: isSource ? otherId : issueId,
  type,
  created,
  updated,
});
