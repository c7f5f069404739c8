import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Role } from '#kernel/access/roles.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';
import type { SnippetFacts } from './access/snippet-rights.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';
import type { PrefixedUser } from '#core/users/records/user-basic.record.js';

/** Facts of a row that the rights on a snippet depend on. */
export interface SnippetRightsRow {
  readonly id: number;
  readonly title: string;
  readonly author_id: number;
  readonly visibility: Visibility;
  readonly project_id: number | null;
  /** This and the following are null for personal snippets. */
  readonly full_path: string | null;
  readonly project_visibility: Visibility;
  readonly archived: boolean;
  readonly level: string | null;
  readonly role: Role | null;
}

/** Select list of these facts, over `SNIPPET_FROM`; the role is that of the user in the named parameter. */
export const rightsColumns = (user: string): string =>
  `s.id, s.title, s.author_id, s.visibility, s.project_id, p.full_path, p.visibility as project_visibility, p.archived,
    p.settings->>'snippets_access_level' as level,
    case when p.id is not null then ${projectRoleSql(user, 'p', 'n')} end as role`;

/** Snippets with their projects and authors; excludes those of users being removed. */
export const SNIPPET_FROM = `snippets s join users u on u.id = s.author_id and not u.pending_delete
  left join projects p on p.id = s.project_id left join namespaces n on n.id = p.namespace_id`;

/** Excludes snippets of projects being removed. */
export const OF_LIVE_PROJECT = '(s.project_id is null or not p.pending_delete)';

/** A snippet without files is still being created, or its creation failed. */
export const FINISHED = `s.file_paths <> '{}'`;

/** Row of a snippet record. */
export interface SnippetRow extends PrefixedUser<'u_', number> {
  readonly id: number;
  readonly title: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly project_id: number | null;
  readonly full_path: string | null;
  readonly file_paths: readonly string[];
  readonly default_branch: string;
  readonly repository_storage: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Select list of a `SnippetRow`, over `SNIPPET_FROM`. */
export const SNIPPET_COLUMNS = `s.id, s.title, s.description, s.visibility, s.project_id, p.full_path, s.file_paths, s.default_branch,
  s.repository_storage, ${isoTimeSql('s.created_at')} as created_at, ${isoTimeSql('s.updated_at')} as updated_at,
  ${userColumns('u', 'u_')}`;

/** Returns the facts of a row for a caller with this role in its project. */
export const factsOf = (row: SnippetRightsRow, role: Role): SnippetFacts => ({
  authorId: row.author_id,
  visibility: row.visibility,
  project:
    row.project_id === null
      ? null
      : {
          visibility: row.project_visibility,
          archived: row.archived,
          level: row.level ?? 'enabled',
          role,
        },
});
