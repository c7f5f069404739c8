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

/** Access of the caller to a snippet. */
export interface AccessibleSnippet {
  readonly id: number;
  readonly title: string;
  /** Null for a personal snippet. */
  readonly projectId: number | null;
  readonly projectFullPath: string | null;
  readonly authorId: number;
  /** The caller's effective role in the project, Admin for administrators; None for a personal snippet. */
  readonly role: Role;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
}

const FIND = `select ${rightsColumns('$2::bigint')} from ${SNIPPET_FROM} where s.id = $1 and ${OF_LIVE_PROJECT}`;

/** Decides who may read and change a snippet. */
@Injectable()
export class SnippetAccessQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Returns a snippet with the rights of the caller, if any, by one short statement; null if it does not
   * exist.
   */
  async findOrNull(snippetId: number, actor: Actor | null): Promise<AccessibleSnippet | null> {
    const row = await this.database.one<SnippetRightsRow>(FIND, [snippetId, actor?.id ?? null]);
    return row && accessOf(row, actor);
  }
}

/** Returns the caller's access to the snippet of a row. */
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
