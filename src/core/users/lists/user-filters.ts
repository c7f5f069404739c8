import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { containing } from '#kernel/database/like.sql.js';
import { invalid } from '#kernel/http/errors.js';
import type { ListUsersParams } from './list-users.params.js';
import { shownAddressSql } from '../addresses/shown-address.sql.js';

const NOT_INTERNAL = `u.user_type not in ('ghost', 'alert_bot')`;

const WITHOUT_PROJECTS = `not exists (select 1 from projects p join namespaces o on o.id = p.namespace_id where o.owner_id = u.id)
  and not exists (select 1 from members m where m.user_id = u.id and (m.source_type = 'Project' or exists (
    select 1 from projects p join namespaces o on o.id = p.namespace_id
    where o.traversal_ids @> array[m.source_id])))`;

/**
 * Best match first: the exact name or address, then names that start with the text; `s` is the join of a
 * search.
 */
const BEST_MATCH = `case when s.exact in (lower(u.username), lower(u.name), s.address) then 0
  when s.exact in (left(lower(u.username), length(s.exact)), left(lower(u.name), length(s.exact))) then 1 else 2 end,
  lower(u.name), u.id`;

/** Adds the filters that all callers may use. */
export function filterUsers(query: ListQuery<object>, params: ListUsersParams, isAdmin: boolean): void {
  if (params.username !== undefined && params.username !== '')
    query.where('lower(u.username) = lower(?)', params.username);
  if (params.active) query.where(`u.state = 'active' and ${NOT_INTERNAL}`);
  if (params.blocked) query.where(`u.state in ('blocked', 'ldap_blocked')`);
  if (params.exclude_internal) query.where(NOT_INTERNAL);
  if (params.exclude_external) query.where('not u.external');
  if (params.exclude_active) query.where(`u.state <> 'active'`);
  if (params.humans) query.where(`u.user_type = 'human'`);
  if (params.exclude_humans) query.where(`u.user_type <> 'human'`);
  if (params.without_project_bots) query.where(`u.user_type not in ('project_bot', 'group_bot')`);
  searchUsers(query, params.search?.trim() ?? '', isAdmin);
  if (isAdmin) filterForAdmins(query, params);
  else query.where(`u.state <> 'banned'`);
}

function searchUsers(query: ListQuery<object>, text: string, isAdmin: boolean): void {
  if (text === '') return;
  const address = isAdmin ? 'u.email' : shownAddressSql('u');
  query
    .long()
    .join(
      `cross join lateral (select ?::text as pattern, lower(?::text) as exact, lower(${address}) as address) s`,
      containing(text),
      text,
    )
    .where('(u.name ilike s.pattern or u.username ilike s.pattern or s.address = s.exact)');
}

/** Adds the order: as requested by administrators, else best match first in a search, else newest first. */
export function orderUsers(query: ListQuery<object>, params: ListUsersParams, isAdmin: boolean): void {
  const { order_by: column, sort = 'desc' } = params;
  if (isAdmin && (column !== undefined || params.sort !== undefined)) {
    query.orderBy(`u.${column ?? 'id'}`, sort);
  } else if ((params.search?.trim() ?? '') !== '') query.orderByExpression(BEST_MATCH);
  else query.orderBy('u.id', 'desc');
}

function filterForAdmins(query: ListQuery<object>, params: ListUsersParams): void {
  if (params.external) query.where('u.external');
  if (params.admins) query.where('u.admin');
  if (params.created_after) query.where('u.created_at >= ?', params.created_after);
  if (params.created_before) query.where('u.created_at <= ?', params.created_before);
  if (params.two_factor)
    query.where(params.two_factor === 'enabled' ? 'u.two_factor_enabled' : 'not u.two_factor_enabled');
  if (params.without_projects) query.long().where(WITHOUT_PROJECTS);
  if (params.extern_uid !== undefined && params.provider !== undefined)
    query.where(
      `u.identities @> jsonb_build_array(jsonb_build_object('provider', ?::text, 'extern_uid', ?::text))`,
      params.provider,
      params.extern_uid,
    );
}

/** Asserts that both parts of an identity are given. @throws 400 */
export function assertWholeIdentity({ extern_uid, provider }: ListUsersParams): void {
  if ((extern_uid === undefined) === (provider === undefined)) return;
  throw invalid({
    [extern_uid === undefined ? 'provider' : 'extern_uid']: ['needs extern_uid and provider'],
  });
}
