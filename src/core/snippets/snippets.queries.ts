import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { AUTHORIZED } from '#core/projects/lists/visible-projects.js';
import type { ListAllSnippetsParams, ListSnippetsParams } from './snippets.params.js';
import {
  FINISHED,
  OF_LIVE_PROJECT,
  rightsColumns,
  SNIPPET_COLUMNS,
  SNIPPET_FROM,
  type SnippetRightsRow,
  type SnippetRow,
} from './snippet.row.js';

const shape = (key: string): ListShape => ({
  kind: 'Snippet',
  select: SNIPPET_COLUMNS,
  from: SNIPPET_FROM,
  key,
});
const SHAPE = shape('s.id');
/** Shape of a list that merges branches as `v`. */
const MERGED = shape('v.id');

const SHOWN = `${FINISHED} and ${OF_LIVE_PROJECT}`;

/** SQL condition: the caller may use the snippets of the project, by visibility or by a role. */
const USABLE = `(s.project_id is null or (coalesce(p.settings->>'snippets_access_level', 'enabled') <> 'disabled'
  and (p.id = any(array(${AUTHORIZED})) or (p.visibility = any(?::text[])
    and coalesce(p.settings->>'snippets_access_level', 'enabled') <> 'private'))))`;

const ONE = `select ${SNIPPET_COLUMNS}, ${rightsColumns('$2::bigint')} from ${SNIPPET_FROM}
  where s.id = $1 and ${SHOWN}`;

const ORIGIN = 'select user_agent, ip_address from snippets where id = $1';

/** Visibility levels that need no role. */
const openLevels = (actor: Actor | null): string[] =>
  actor && !actor.external ? ['public', 'internal'] : ['public'];

/** Reads snippets. */
@Injectable()
export class SnippetsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a snippet with the facts for the caller's rights, or null. */
  findOrNull(id: number, actor: Actor | null): Promise<(SnippetRow & SnippetRightsRow) | null> {
    return this.database.one<SnippetRow & SnippetRightsRow>(ONE, [id, actor?.id ?? null]);
  }

  /** Returns the client that created a snippet; null if there is no such snippet. */
  origin(id: number): Promise<{ user_agent: string | null; ip_address: string | null } | null> {
    return this.database.one(ORIGIN, [id]);
  }

  /**
   * Lists the caller's own snippets, including those in projects whose snippets the caller may still use;
   * newest first.
   */
  own(actor: Actor, params: ListSnippetsParams): ListQuery<SnippetRow> {
    const query = newestFirst(SHAPE, 's', params).of('s.author_id', actor.id);
    if (!actor.admin) query.where(USABLE, actor.id, openLevels(actor));
    return query;
  }

  /** Lists public personal snippets. */
  public(params: ListSnippetsParams): ListQuery<SnippetRow> {
    return newestFirst(SHAPE, 's', params).where(`s.visibility = 'public' and s.project_id is null`);
  }

  /**
   * Lists all snippets that the caller can see; all of them for administrators. For others, each visibility
   * level, the caller's own snippets and those of the caller's projects are read in list order and merged, so
   * that a page costs the same regardless of hidden snippets.
   */
  all(actor: Actor, params: ListAllSnippetsParams, byId: boolean): ListQuery<SnippetRow> {
    if (actor.admin) {
      const query = newestFirst(SHAPE, 's', params);
      if (params.repository_storage !== undefined)
        query.where('s.repository_storage = ?', params.repository_storage);
      return query;
    }
    const open = openLevels(actor);
    const order = ` order by ${byId ? '' : 'created_at desc, '}id desc`;
    const branch = (condition: string): string =>
      `(select id, created_at from snippets where ${condition}${order})`;
    const branches = [
      ...open.map((level) => branch(`visibility = '${level}'`)),
      branch('author_id = ? and visibility <> all(?::text[])'),
      branch(`author_id <> ? and visibility <> all(?::text[]) and project_id = any(array(${AUTHORIZED}))`),
    ];
    return newestFirst(MERGED, 'v', params)
      .join(
        `join (${branches.join(' union all ')}${order}) v on s.id = any(array[v.id])`,
        actor.id,
        open,
        actor.id,
        open,
        actor.id,
      )
      .where(USABLE, actor.id, open)
      .long();
  }

  /** Lists the snippets of a project that a caller with this role can see. */
  ofProject(projectId: number, role: Role, actor: Actor | null): ListQuery<SnippetRow> {
    const query = newestFirst(SHAPE, 's', {}).of('s.project_id', projectId);
    if (role < Role.Guest)
      query.where(
        '(s.visibility = any(?::text[]) or s.author_id = ?::bigint)',
        openLevels(actor),
        actor?.id ?? null,
      );
    return query;
  }
}

function newestFirst(
  shapeOfList: ListShape,
  alias: string,
  { created_after: after, created_before: before }: ListSnippetsParams,
): ListQuery<SnippetRow> {
  const query = new ListQuery<SnippetRow>(shapeOfList).where(SHOWN);
  if (after) query.where(`${alias}.created_at >= ?`, after);
  if (before) query.where(`${alias}.created_at <= ?`, before);
  return query.orderBy(`${alias}.created_at`, 'desc');
}
