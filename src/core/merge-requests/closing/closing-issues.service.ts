import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Links } from '#kernel/http/links.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { partLevelSql } from '#core/projects/settings/part-level.sql.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import { closingReferences } from './closing-references.js';
import type { MergeRequest } from '../merge-request.entity.js';

/**
 * Issues of the named projects that the author can see; paths are in lower case, an empty one is that of the
 * merge request.
 */
const FIND = `select distinct i.id from unnest($1::text[], $2::bigint[]) named(path, iid)
  join lateral (select $3::bigint as id where named.path = ''
    union all select r.source_id from routes r where r.source_type = 'Project' and r.path = named.path) found on true
  join projects p on p.id = found.id and not p.pending_delete join namespaces n on n.id = p.namespace_id
  join issues i on i.project_id = p.id and i.iid = named.iid
    cross join lateral (select case when exists (select 1 from users u where u.id = $4 and ${isAdminSql('u')}) then ${Role.Admin}
      else ${projectRoleSql('$4::bigint', 'p', 'n')} end as role offset 0) r
  where (r.role >= ${Role.Guest} or ${partLevelSql('p', 'issues')} = 'enabled' and (p.id = $3 or p.visibility = 'public'))
    and (not i.confidential or r.role >= ${Role.Reporter} or i.author_id = $4
      or exists (select 1 from issue_assignees va where va.issue_id = i.id and va.user_id = $4))`;

/** Why a merge request closes an issue: its title and description, or its commits. */
type Source = 'by_text' | 'by_commits';
const OTHER = { by_text: 'by_commits', by_commits: 'by_text' } as const;

const forget = (source: Source): string => `with gone as (delete from merge_requests_closing_issues
    where merge_request_id = $1 and issue_id <> all($2::bigint[]) and not ${OTHER[source]})
  update merge_requests_closing_issues set ${source} = false
  where merge_request_id = $1 and issue_id <> all($2::bigint[]) and ${OTHER[source]} and ${source}`;
const keep = (
  source: Source,
): string => `insert into merge_requests_closing_issues as c (merge_request_id, issue_id, ${source}, ${OTHER[source]})
  select $1, id, true, false from unnest($2::bigint[]) id order by id
  on conflict (merge_request_id, issue_id) do update set ${source} = true where not c.${source}`;

const PATH = 'select full_path as path from projects where id = $1';

/** Tracks which issues a merge request closes when it is merged. */
@Injectable()
export class ClosingIssuesService {
  constructor(private readonly links: Links) {}

  /**
   * Updates the issues that title and description close; the merge request must be locked. `projectPath`:
   * path of its project.
   */
  async refresh(tx: Tx, mergeRequest: MergeRequest, projectPath: string): Promise<void> {
    const { id, title, description } = mergeRequest;
    const ids = await this.named(tx, mergeRequest, projectPath, `${title}\n${description ?? ''}`);
    await store(tx, 'by_text', id, ids);
  }

  /** Updates the issues that commit messages close; the merge request must be locked. */
  async refreshByCommits(tx: Tx, mergeRequest: MergeRequest, messages: string): Promise<void> {
    const { id, projectId } = mergeRequest;
    const [project] = await tx.query<{ path: string }[]>(PATH, [projectId]);
    if (project)
      await store(tx, 'by_commits', id, await this.named(tx, mergeRequest, project.path, messages));
  }

  /** Inserts both for a merge request created in the transaction, which has no issues yet. */
  async recordNew(tx: Tx, mergeRequest: MergeRequest, projectPath: string, messages: string): Promise<void> {
    const { id, title, description } = mergeRequest;
    const said = [
      ['by_text', `${title}\n${description ?? ''}`],
      ['by_commits', messages],
    ] as const;
    for (const [source, text] of said) {
      const ids = await this.named(tx, mergeRequest, projectPath, text);
      if (ids.length > 0) await tx.query(keep(source), [id, ids]);
    }
  }

  /** Returns the ids of the issues that a text closes and that the author of the merge request can see. */
  async named(
    tx: Tx,
    { projectId, authorId }: Pick<MergeRequest, 'projectId' | 'authorId'>,
    projectPath: string,
    text: string,
  ): Promise<number[]> {
    const named = closingReferences(text, this.links.base);
    if (named.length === 0) return [];
    const group = projectPath.slice(0, projectPath.lastIndexOf('/') + 1);
    const paths = named.map(({ path }) => {
      if (path === null) return '';
      return (path.includes('/') ? path : group + path).toLowerCase();
    });
    const iids = named.map(({ iid }) => iid);
    const rows = await tx.query<{ id: number }[]>(FIND, [paths, iids, projectId, authorId ?? 0]);
    return rows.map((row) => row.id);
  }
}

async function store(tx: Tx, source: Source, id: number, issueIds: readonly number[]): Promise<void> {
  await tx.query(forget(source), [id, issueIds]);
  if (issueIds.length > 0) await tx.query(keep(source), [id, issueIds]);
}
