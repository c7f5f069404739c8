import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { projectRoleSql } from '#core/members/role-sql.js';
import { mayReadSnippet, mayWriteSnippet, type SnippetFacts } from './snippet-rights.js';

/** A snippet as far as it matters who may use it, with what the caller may do. */
export interface AccessibleSnippet {
  readonly id: number;
  readonly title: string;
  /** Null for a personal one. */
  readonly projectId: number | null;
  readonly projectFullPath: string | null;
  readonly authorId: number;
  /** The caller's effective role in the project, Admin for administrators; None for a personal one. */
  readonly role: Role;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
}

interface Row {
  readonly id: number;
  readonly title: string;
  readonly author_id: number;
  readonly visibility: SnippetFacts['visibility'];
  readonly project_id: number | null;
  readonly full_path: string | null;
  readonly project_visibility: SnippetFacts['visibility'];
  readonly archived: boolean;
  readonly level: string | null;
  readonly role: Role;
}

const FIND = `select s.id, s.title, s.author_id, s.visibility, s.project_id, p.full_path, p.visibility as project_visibility, p.archived,
    p.settings->>'snippets_access_level' as level,
    case when p.id is null then 0 else ${projectRoleSql('$2::bigint', 'p', 'n')} end as role
  from snippets s join users u on u.id = s.author_id and not u.pending_delete
  left join projects p on p.id = s.project_id
  left join namespaces n on n.id = p.namespace_id
  where s.id = $1 and (s.project_id is null or not p.pending_delete)`;

/** Tells who may read and change a snippet. */
@Injectable()
export class SnippetAccess {
  constructor(private readonly database: ReadDatabase) {}

  /** The snippet with the rights of the caller, who may have none; null where there is no such snippet. One short statement. */
  async findOrNull(snippetId: number, actor: Actor | null): Promise<AccessibleSnippet | null> {
    const row = await this.database.one<Row>(FIND, [snippetId, actor?.id ?? null]);
    return row && present(row, actor);
  }
}

function present(row: Row, actor: Actor | null): AccessibleSnippet {
  const { id, title, author_id: authorId, project_id: projectId, visibility } = row;
  const role = actor?.admin && projectId !== null ? Role.Admin : row.role;
  const project =
    projectId === null
      ? null
      : {
          visibility: row.project_visibility,
          archived: row.archived,
          level: row.level ?? 'enabled',
          role,
        };
  const facts = { authorId, visibility, project };
  return {
    id,
    title,
    projectId,
    projectFullPath: row.full_path,
    authorId,
    role,
    mayRead: mayReadSnippet(facts, actor),
    mayWrite: mayWriteSnippet(facts, actor),
  };
}
