import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { accessOf, type AccessibleSnippet } from './snippet-access.queries.js';
import type { SnippetRow } from '../snippet.row.js';
import { SnippetsQueries } from '../snippets.queries.js';

/** A snippet that the caller can see. */
export interface FoundSnippet {
  readonly row: SnippetRow;
  readonly access: AccessibleSnippet;
}

/** Finds snippets for callers; those that the caller may not read count as missing. */
@Injectable()
export class SnippetFinder {
  constructor(private readonly queries: SnippetsQueries) {}

  /** Finds a snippet for reading; with a project, only one of that project. @throws 404 */
  async toRead(id: number, actor: Actor | null, projectId?: number): Promise<FoundSnippet> {
    const row = await this.queries.findOrNull(id, actor);
    if (!row || (projectId !== undefined && row.project_id !== projectId)) throw notFound('Snippet');
    const access = accessOf(row, actor);
    if (!access.mayRead) throw notFound('Snippet');
    return { row, access };
  }

  /** Finds a snippet for a change. @throws 404; 403 if the caller can only read it */
  async toWrite(id: number, actor: Actor, projectId?: number): Promise<FoundSnippet> {
    const found = await this.toRead(id, actor, projectId);
    if (!found.access.mayWrite) throw forbidden();
    return found;
  }
}
