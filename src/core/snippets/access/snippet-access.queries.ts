import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { mayReadSnippet, mayWriteSnippet } from './snippet-rights.js';
import {
  factsOf,
  OF_LIVE_PROJECT,
  rightsColumns,
  SNIPPET_FROM,
  type SnippetRightsRow,
} from '../snippet.row.js';

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

const FIND = `select ${rightsColumns('$2::bigint')} from ${SNIPPET_FROM} where s.id = $1 and ${OF_LIVE_PROJECT}`;

/** Tells who may read and change a snippet. */
@Injectable()
export class SnippetAccessQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** The snippet with the rights of the caller, who may have none; null where there is no such snippet. One short statement. */
  async findOrNull(snippetId: number, actor: Actor | null): Promise<AccessibleSnippet | null> {
    const row = await this.database.one<SnippetRightsRow>(FIND, [snippetId, actor?.id ?? null]);
    return row && accessOf(row, actor);
  }
}

/** What the caller may do with the snippet of a row. */
export function accessOf(row: SnippetRightsRow, actor: Actor | null): AccessibleSnippet {
  const { id, title, author_id: authorId, project_id: projectId } = row;
  const role = actor?.admin && projectId !== null ? Role.Admin : (row.role ?? Role.None);
  const facts = factsOf(row, role);
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
