import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Links } from '#kernel/http/links.js';
import { projectRoleSql } from '#core/members/role-sql.js';
import { closingReferences } from './closing-references.js';
import type { MergeRequest } from './merge-request.entity.js';

/** Issues of the named projects that the author sees; paths are in small letters, an empty one is that of the merge request. */
const FIND = `select distinct i.id from unnest($1::text[], $2::bigint[]) named(path, iid)
  join lateral (select $3::bigint as id where named.path = ''
    union all select r.source_id from routes r where r.source_type = 'Project' and r.path = named.path) place on true
  join projects p on p.id = place.id and not p.pending_delete join namespaces n on n.id = p.namespace_id
  join issues i on i.project_id = p.id and i.iid = named.iid
  where p.id = $3 or p.visibility = 'public' or ${projectRoleSql('$4::bigint', 'p', 'n')} >= ${Role.Guest}`;

const FORGET =
  'delete from merge_requests_closing_issues where merge_request_id = $1 and issue_id <> all($2::bigint[])';
const KEEP = `insert into merge_requests_closing_issues (merge_request_id, issue_id)
  select $1, id from unnest($2::bigint[]) id order by id on conflict do nothing`;

/** Which issues a merge request closes when it is merged. */
@Injectable()
export class ClosingIssues {
  constructor(private readonly links: Links) {}

  /** Stores what title and description say; call it under the lock of the merge request. `projectPath` is that of its project. */
  async refresh(tx: Tx, mergeRequest: MergeRequest, projectPath: string): Promise<void> {
    const { id, title, description } = mergeRequest;
    const ids = await this.named(tx, mergeRequest, projectPath, `${title}\n${description ?? ''}`);
    await tx.query(FORGET, [id, ids]);
    if (ids.length > 0) await tx.query(KEEP, [id, ids]);
  }

  /** Ids of the issues that a text says to close, as far as the author of the merge request sees them. */
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
