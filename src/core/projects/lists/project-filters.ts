import type { Actor } from '#kernel/access/caller.js';
import { containing } from '#kernel/database/like.sql.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { Role } from '#kernel/access/roles.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import type { ListProjectsParams } from './list-projects.params.js';
import { readableProjects } from './readable-projects.js';
import { AUTHORIZED } from './visible-projects.js';

const ROLE_AT_LEAST = `exists (select 1 from namespaces rn where rn.id = p.namespace_id and ${projectRoleSql('me.id', 'p', 'rn')} >= ?)`;

/**
 * Adds the filters of the parameters; the query must join ME for signed-in callers. Filters about the caller
 * match nothing for anonymous callers.
 */
export function filterProjects(
  query: ListQuery<object>,
  params: ListProjectsParams,
  actor: Actor | null,
): void {
  filterByAttributes(query, params);
  filterByLanguage(query, params.with_programming_language, actor);
  filterByTimes(query, params);
  filterByCaller(query, params, actor);
  if (params.repository_storage && actor?.admin)
    query.where('p.repository_storage = ?', params.repository_storage);
}

function filterByAttributes(query: ListQuery<object>, params: ListProjectsParams): void {
  if (params.archived !== undefined) query.where('p.archived = ?', params.archived);
  if (params.visibility !== undefined) query.where('p.visibility = ?', params.visibility);
  if (params.topic?.length) query.where('p.topics @> ?::text[]', params.topic);
  // Topics have no ids here, so nothing can match.
  if (params.topic_id !== undefined) query.where('false');
  if (params.imported !== undefined)
    query.where(`(p.settings->>'import_type' is not null) = ?`, params.imported);
  if (params.with_issues_enabled)
    query.where(`p.settings->>'issues_access_level' is distinct from 'disabled'`);
  if (params.with_merge_requests_enabled)
    query.where(`p.settings->>'merge_requests_access_level' is distinct from 'disabled'`);
  if (params.search) search(query, params.search, params.search_namespaces === true);
}

/** Languages belong to the code: the filter matches only projects whose code the caller may read. */
function filterByLanguage(query: ListQuery<object>, language: string | undefined, actor: Actor | null): void {
  if (!language) return;
  query.where(
    `exists (select 1 from jsonb_object_keys(p.languages) language where lower(language) = lower(?))`,
    language,
  );
  const readable = readableProjects(actor, 'repository', Role.Guest);
  query.where(readable.sql, ...readable.values);
}

function search(query: ListQuery<object>, text: string, inNamespaces: boolean): void {
  const like = containing(text);
  const matches = (alias: string): string =>
    inNamespaces
      ? `(${alias}.full_name ilike ? or ${alias}.full_path ilike ?)`
      : `(${alias}.name ilike ? or ${alias}.path ilike ?)`;
  // The index contains trigrams; it is used only if the order of the list does not mislead the planner.
  const isIndexed = text.length >= 3;
  query.where(
    isIndexed ? `p.id = any(array(select q.id from projects q where ${matches('q')}))` : matches('p'),
    like,
    like,
  );
  query.long();
}

function filterByTimes(query: ListQuery<object>, params: ListProjectsParams): void {
  if (params.last_activity_after) query.where('p.last_activity_at > ?', params.last_activity_after);
  if (params.last_activity_before) query.where('p.last_activity_at < ?', params.last_activity_before);
  if (params.updated_after) query.where('p.updated_at >= ?', params.updated_after);
  if (params.updated_before) query.where('p.updated_at <= ?', params.updated_before);
  if (params.id_after !== undefined) query.where('p.id > ?', params.id_after);
  if (params.id_before !== undefined) query.where('p.id < ?', params.id_before);
}

function filterByCaller(query: ListQuery<object>, params: ListProjectsParams, actor: Actor | null): void {
  const { membership, owned, starred, min_access_level: least } = params;
  if (!actor) {
    if (membership || owned || starred || least !== undefined) query.where('false');
    return;
  }
  if (starred)
    query.where('p.id in (select s.project_id from project_stars s where s.user_id = ?)', actor.id);
  const role = Math.max(owned ? 50 : 0, least ?? 0);
  if (membership || role > 0) query.where(`p.id = any(array(${AUTHORIZED}))`, actor.id);
  if (role > 0) query.where(ROLE_AT_LEAST, role);
}

/** Returns whether a filter leaves so few projects that visibility is better checked for each of them. */
export const isSelective = (params: ListProjectsParams): boolean =>
  Boolean(
    params.search ||
    params.membership ||
    params.owned ||
    params.starred ||
    params.topic?.length ||
    params.min_access_level !== undefined,
  );

const NO_FILTERS = new Set(['order_by', 'sort', 'simple', 'statistics', 'search_namespaces']);

/** Returns whether any filter is given. */
export const isFiltered = (params: ListProjectsParams): boolean =>
  Object.entries(params).some(([name, value]) => value !== undefined && !NO_FILTERS.has(name));
